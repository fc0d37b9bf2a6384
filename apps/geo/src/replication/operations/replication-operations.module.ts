import { Module } from '@nestjs/common';
import { NodeModule } from '../../node/node.module';
import { ReplicationModule } from '../replication.module';
import { CopyFiles } from './copy-files';
import { CopyImages } from './copy-images';
import { CountReplicas } from './count-replicas';
import { FollowFiles } from './follow-files';
import { FollowPrimary } from './follow-primary';
import { RequestReplication } from './request-replication';
import { VerifyReplicas } from './verify-replicas';

/** A secondary follows its primary. */
@Module({
  imports: [NodeModule, ReplicationModule],
  providers: [RequestReplication, CopyFiles, CopyImages, CountReplicas, FollowFiles, FollowPrimary, VerifyReplicas],
})
export class ReplicationOperationsModule {}
