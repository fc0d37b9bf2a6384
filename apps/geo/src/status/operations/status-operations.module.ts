import { Module } from '@nestjs/common';
import { NodeModule } from '../../node/node.module';
import { StatusModule } from '../status.module';
import { FailureOperations } from './failure.operations';
import { ReportStatus } from './report-status';
import { StatusOperations } from './status.operations';

/** How replication nodes are, as administrators ask and secondaries tell it. */
@Module({
  imports: [NodeModule, StatusModule],
  controllers: [FailureOperations, StatusOperations],
  providers: [ReportStatus],
})
export class StatusOperationsModule {}
