import { Module } from '@nestjs/common';
import { LfsLockModule } from '../lfs-lock/lfs-lock.module';
import { LfsObjectModule } from '../lfs-object/lfs-object.module';
import { PackageModule } from '../package/package.module';
import { ReleaseModule } from '../release/release.module';
import { SecureFileModule } from '../secure-file/secure-file.module';
import { FollowDeletions } from './follow-deletions';

/** Consumes deletions of tags, projects and users. */
@Module({
  imports: [LfsLockModule, LfsObjectModule, PackageModule, ReleaseModule, SecureFileModule],
  providers: [FollowDeletions],
})
export class FollowModule {}
