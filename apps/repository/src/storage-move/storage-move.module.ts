import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { CopiesModule } from '../copies/copies.module';
import { MirrorModule } from '../mirror/mirror.module';
import { PushModule } from '../push/push.module';
import { RecordModule } from '../record/record.module';
import { StorageModule } from '../storage/storage.module';
import { RepositoryMover } from './move-repository';
import { MoveSource } from './move-source';
import { storageSchema } from './storage.schema';
import { StorageMoveOperations } from './storage-move.operations';
import { StorageMoves } from './storage-move.repository';
import { storageMoveSchema } from './storage-move.schema';

/** Moves of repositories between storages while they are in use. */
@Module({
  imports: [
    CopiesModule,
    MirrorModule,
    MongooseModule.forFeature([
      { name: 'Storage', schema: storageSchema },
      { name: 'StorageMove', schema: storageMoveSchema },
    ]),
    PushModule,
    RecordModule,
    StorageModule,
  ],
  controllers: [MoveSource, StorageMoveOperations],
  providers: [RepositoryMover, StorageMoves],
  exports: [StorageMoves],
})
export class StorageMoveModule {}
