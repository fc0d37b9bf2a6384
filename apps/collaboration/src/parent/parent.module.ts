import { Module } from '@nestjs/common';
import { ParentDirectory } from './parent-directory';
import { ReadableProjects } from './readable-projects';
import { Urls } from './urls';

/** Projects and groups of records. */
@Module({
  providers: [ParentDirectory, ReadableProjects, Urls],
  exports: [ParentDirectory, ReadableProjects, Urls],
})
export class ParentModule {}
