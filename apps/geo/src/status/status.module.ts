import { Module } from '@nestjs/common';
import { FeedModule } from '../feed/feed.module';
import { NodeModule } from '../node/node.module';
import { ReplicationModule } from '../replication/replication.module';
import { OwnStatus } from './own-status';
import { SecondaryStatus } from './secondary-status';

/** Status of replication nodes. */
@Module({
  imports: [FeedModule, NodeModule, ReplicationModule],
  providers: [OwnStatus, SecondaryStatus],
  exports: [OwnStatus, ReplicationModule, SecondaryStatus],
})
export class StatusModule {}
