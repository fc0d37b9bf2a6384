import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { ProtectionModule } from '../protection/protection.module';
import { ReconciliationModule } from '../reconciliation/reconciliation.module';
import { RegistryClientModule } from '../registry-client/registry-client.module';
import { RepositoryModule } from '../repository/repository.module';
import { TagModule } from '../tag/tag.module';
import { DeleteTagsInBulk } from './delete-tags-in-bulk';
import { deletionPageSchema } from './deletion-page.schema';
import { DeletionPages } from './deletion-pages.repository';
import { RestoreTag } from './restore-tag';
import { RunBulkDeletion } from './run-bulk-deletion';

/** Deletes tags by rules. */
@Module({
  imports: [
    ProtectionModule,
    ReconciliationModule,
    RegistryClientModule,
    RepositoryModule,
    TagModule,
    MongooseModule.forFeature([{ name: 'DeletionPage', schema: deletionPageSchema }]),
  ],
  controllers: [DeleteTagsInBulk],
  providers: [DeletionPages, RestoreTag, RunBulkDeletion],
  exports: [DeletionPages, RestoreTag, RunBulkDeletion],
})
export class BulkDeletionModule {}
