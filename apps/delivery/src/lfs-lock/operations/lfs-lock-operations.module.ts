import { Module } from '@nestjs/common';
import { LfsLockModule } from '../lfs-lock.module';
import { LfsLockOperations } from './lfs-locks.operations';

/** Locks of Git LFS as users take them and give them back. */
@Module({ imports: [LfsLockModule], controllers: [LfsLockOperations] })
export class LfsLockOperationsModule {}
