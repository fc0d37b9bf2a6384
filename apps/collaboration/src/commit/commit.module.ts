import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { ActivityModule } from '../activity/activity.module';
import { CommitsFollowDeletions } from './follow-deletions';
import { NotedCommits } from './noted-commit.repository';
import { notedCommitSchema } from './noted-commit.schema';

const collections = MongooseModule.forFeature([{ name: 'Commit', schema: notedCommitSchema }]);

/** Commits that have notes. */
@Module({
  imports: [collections, ActivityModule],
  providers: [CommitsFollowDeletions, NotedCommits],
  exports: [CommitsFollowDeletions, NotedCommits],
})
export class CommitModule {}
