import { Module } from '@nestjs/common';
import { ScannedProjects } from './scanned-projects';

/** The projects of vulnerabilities. */
@Module({ providers: [ScannedProjects], exports: [ScannedProjects] })
export class ProjectModule {}
