import { Module } from '@nestjs/common';
import { LfsLockModule } from '../lfs-lock.module';
import { LfsLockOperations } from './lfs-locks.operations';

/** Operations on locks of Git LFS. */
@Module({ imports: [LfsLockModule], controllers: [LfsLockOperations] })
export class LfsLockOperationsModule {}
