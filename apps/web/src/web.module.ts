import { Module } from '@nestjs/common';
import { ShowPageModule } from './show-page/show-page.module';

/** Pages for browsers. */
@Module({ imports: [ShowPageModule] })
export class WebModule {}
