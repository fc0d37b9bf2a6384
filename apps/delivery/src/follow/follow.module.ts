import { Module } from '@nestjs/common';
import { PackageModule } from '../package/package.module';
import { ReleaseModule } from '../release/release.module';
import { FollowDeletions } from './follow-deletions';

/** Follows the ends of tags, projects and users. */
@Module({ imports: [PackageModule, ReleaseModule], providers: [FollowDeletions] })
export class FollowModule {}
