import { Module } from '@nestjs/common';
import { Once } from '../forms/once';
import { VisitModule } from '../visit/visit.module';
import { OpenFile } from './open-file';
import { ShowPage } from './show-page';
import { TakeForm } from './take-form';

/** The answer to requests for pages and files at addresses of browsers, and to forms. */
@Module({ imports: [VisitModule], controllers: [OpenFile, ShowPage, TakeForm], providers: [Once] })
export class ShowPageModule {}
