import { Module } from '@nestjs/common';
import { NodeOperationsModule } from './node/operations/node-operations.module';
import { StatusOperationsModule } from './status/operations/status-operations.module';

/** Replication nodes and how they are. */
@Module({ imports: [NodeOperationsModule, StatusOperationsModule] })
export class GeoModule {}
