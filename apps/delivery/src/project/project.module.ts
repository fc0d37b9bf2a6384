import { Module } from '@nestjs/common';
import { ProjectsBelow } from './projects-below';

/** The projects of groups. */
@Module({ providers: [ProjectsBelow], exports: [ProjectsBelow] })
export class ProjectModule {}
