import { Module } from '@nestjs/common';
import { PlaceDirectory } from './parent-directory';
import { ReadableProjects } from './readable-projects';
import { Urls } from './urls';

/** The projects and groups that records belong to. */
@Module({
  providers: [PlaceDirectory, ReadableProjects, Urls],
  exports: [PlaceDirectory, ReadableProjects, Urls],
})
export class ParentModule {}
