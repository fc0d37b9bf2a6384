import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { LfsLocks } from './lfs-lock.repository';
import { lfsLockSchema } from './lfs-lock.schema';

/** Locks of Git LFS. */
@Module({
  imports: [MongooseModule.forFeature([{ name: 'LfsLock', schema: lfsLockSchema }])],
  providers: [LfsLocks],
  exports: [LfsLocks],
})
export class LfsLockModule {}
