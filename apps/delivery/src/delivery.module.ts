import { UsersModule } from '@moothall/users';
import { Module } from '@nestjs/common';
import { CopiedFilesModule } from './copied-files/copied-files.module';
import { FollowModule } from './follow/follow.module';
import { LfsLockOperationsModule } from './lfs-lock/operations/lfs-lock-operations.module';
import { LfsObjectOperationsModule } from './lfs-object/operations/lfs-object-operations.module';
import { PackageOperationsModule } from './package/operations/package-operations.module';
import { ReleaseOperationsModule } from './release/operations/release-operations.module';
import { SecureFileOperationsModule } from './secure-file/operations/secure-file-operations.module';

/** Releases, packages, Git LFS files, and secure files for CI jobs. */
@Module({
  imports: [
    UsersModule,
    CopiedFilesModule,
    FollowModule,
    LfsLockOperationsModule,
    LfsObjectOperationsModule,
    PackageOperationsModule,
    ReleaseOperationsModule,
    SecureFileOperationsModule,
  ],
})
export class DeliveryModule {}
