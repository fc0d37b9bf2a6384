import { Module } from '@nestjs/common';
import { VisitModule } from '../visit/visit.module';
import { OpenFile } from './open-file';
import { ShowPage } from './show-page';

/** The answer to requests for pages, and for files at addresses of browsers. */
@Module({ imports: [VisitModule], controllers: [OpenFile, ShowPage] })
export class ShowPageModule {}
