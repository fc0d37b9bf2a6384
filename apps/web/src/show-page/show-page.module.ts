import { Module } from '@nestjs/common';
import { VisitModule } from '../visit/visit.module';
import { ShowPage } from './show-page';

/** The answer to requests for pages. */
@Module({ imports: [VisitModule], controllers: [ShowPage] })
export class ShowPageModule {}
