import { Module } from '@nestjs/common';
import { ScannedProjects } from './scanned-projects';

/** The projects that vulnerabilities are of. */
@Module({ providers: [ScannedProjects], exports: [ScannedProjects] })
export class ProjectModule {}
