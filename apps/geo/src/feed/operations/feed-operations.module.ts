import { Module } from '@nestjs/common';
import { FeedModule } from '../feed.module';
import { FeedOperations } from './feed.operations';
import { FileOperations } from './file.operations';
import { FillFeed } from './fill-feed';

/** Changes that secondaries have to copy, as events and as lists. */
@Module({ imports: [FeedModule], controllers: [FeedOperations, FileOperations], providers: [FillFeed] })
export class FeedOperationsModule {}
