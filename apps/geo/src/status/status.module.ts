import { Module } from '@nestjs/common';
import { FeedModule } from '../feed/feed.module';
import { OwnStatus } from './own-status';

/** How replication nodes are. */
@Module({ imports: [FeedModule], providers: [OwnStatus], exports: [OwnStatus] })
export class StatusModule {}
