import { Module } from '@nestjs/common';
import { BulkDeletionModule } from './bulk-deletion/bulk-deletion.module';
import { CleanupModule } from './cleanup/cleanup.module';
import { CopiedImagesModule } from './copied-images/copied-images.module';
import { FollowModule } from './follow/follow.module';
import { ProtectionOperationsModule } from './protection/operations/protection-operations.module';
import { RepositoryOperationsModule } from './repository/operations/repository-operations.module';
import { TagOperationsModule } from './tag/operations/tag-operations.module';
import { TokenModule } from './token/token.module';

/** Container images: tokens for their registry, what it stores, and its deletion. */
@Module({
  imports: [
    BulkDeletionModule,
    CleanupModule,
    CopiedImagesModule,
    FollowModule,
    ProtectionOperationsModule,
    RepositoryOperationsModule,
    TagOperationsModule,
    TokenModule,
  ],
})
export class RegistryModule {}
