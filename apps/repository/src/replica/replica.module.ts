import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { MaintenanceModule } from '../maintenance/maintenance.module';
import { OutboundModule } from '../outbound/outbound.module';
import { RecordModule } from '../record/record.module';
import { StorageModule } from '../storage/storage.module';
import { StorageMoveModule } from '../storage-move/storage-move.module';
import { ChecksumOperations } from './checksum.operations';
import { ReplicaOperations } from './replica.operations';
import { Replicas } from './replica.repository';
import { replicaSchema } from './replica.schema';
import { Replication } from './replicate';
import { WatchDisks } from './watch-disks';

/** Replicas of the repositories of the primary site. */
@Module({
  imports: [
    MaintenanceModule,
    MongooseModule.forFeature([{ name: 'Replica', schema: replicaSchema }]),
    OutboundModule,
    RecordModule,
    StorageModule,
    StorageMoveModule,
  ],
  controllers: [ChecksumOperations, ReplicaOperations, WatchDisks],
  providers: [Replicas, Replication],
})
export class ReplicaModule {}
