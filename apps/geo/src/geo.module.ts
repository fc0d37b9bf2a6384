import { Module } from '@nestjs/common';
import { FeedOperationsModule } from './feed/operations/feed-operations.module';
import { NodeOperationsModule } from './node/operations/node-operations.module';
import { QuestionOperationsModule } from './question/operations/question-operations.module';
import { ReplicationOperationsModule } from './replication/operations/replication-operations.module';
import { StatusOperationsModule } from './status/operations/status-operations.module';

/** Replication nodes, their status, and the copies of this site. */
@Module({
  imports: [
    FeedOperationsModule,
    NodeOperationsModule,
    QuestionOperationsModule,
    ReplicationOperationsModule,
    StatusOperationsModule,
  ],
})
export class GeoModule {}
