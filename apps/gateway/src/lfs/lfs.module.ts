import { Module } from '@nestjs/common';
import { GitAccessModule } from '../git-access/git-access.module';
import { Lfs } from './lfs';
import { LfsAccess } from './lfs-access';
import { LfsCredentials } from './lfs-credentials';
import { LfsLocks } from './lfs-locks';
import { LfsObjects } from './lfs-objects';

/** Git LFS. */
@Module({
  imports: [GitAccessModule],
  providers: [Lfs, LfsAccess, LfsCredentials, LfsLocks, LfsObjects],
  exports: [Lfs, LfsCredentials],
})
export class LfsModule {}
