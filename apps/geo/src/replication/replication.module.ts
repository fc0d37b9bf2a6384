import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { FailedCopies } from './failed-copies';
import { filePositionSchema } from './file-position.schema';
import { FileRows } from './file-rows.repository';
import { ImageRows } from './image-rows.repository';
import { Positions } from './position.repository';
import { positionSchema } from './position.schema';
import { PrimarySite } from './primary-site';
import { ReplicaCounts } from './replica-counts';
import { ReplicaFailures } from './replica-failures';
import { ReplicaRows } from './replica-row.repository';
import { replicaRowSchema } from './replica-row.schema';
import { talliesSchema } from './tallies.schema';

/** Copies from the primary, and the position in its feed. */
@Module({
  imports: [
    MongooseModule.forFeature([
      { name: 'ReplicaRow', schema: replicaRowSchema },
      { name: 'Position', schema: positionSchema },
      { name: 'FilePosition', schema: filePositionSchema },
      { name: 'Tallies', schema: talliesSchema },
    ]),
  ],
  providers: [FailedCopies, FileRows, ImageRows, Positions, PrimarySite, ReplicaCounts, ReplicaFailures, ReplicaRows],
  exports: [FailedCopies, FileRows, ImageRows, Positions, PrimarySite, ReplicaCounts, ReplicaFailures, ReplicaRows],
})
export class ReplicationModule {}
