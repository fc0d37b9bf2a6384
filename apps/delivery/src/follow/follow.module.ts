import { Module } from '@nestjs/common';
import { ReleaseModule } from '../release/release.module';
import { FollowDeletions } from './follow-deletions';

/** Follows the ends of tags, projects and users. */
@Module({ imports: [ReleaseModule], providers: [FollowDeletions] })
export class FollowModule {}
