import { Module } from '@nestjs/common';
import { FeedModule } from '../feed.module';
import { FeedOperations } from './feed.operations';
import { FileOperations } from './file.operations';
import { FillFeed } from './fill-feed';

/** What secondaries have to copy, as it happens and as they ask for it. */
@Module({ imports: [FeedModule], controllers: [FeedOperations, FileOperations], providers: [FillFeed] })
export class FeedOperationsModule {}
