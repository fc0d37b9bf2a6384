import { Module } from '@nestjs/common';
import { NodeModule } from '../../node/node.module';
import { StatusModule } from '../status.module';
import { FailureOperations } from './failure.operations';
import { ReportStatus } from './report-status';
import { StatusOperations } from './status.operations';

/** The status of replication nodes, read by administrators and reported by secondaries. */
@Module({
  imports: [NodeModule, StatusModule],
  controllers: [FailureOperations, StatusOperations],
  providers: [ReportStatus],
})
export class StatusOperationsModule {}
