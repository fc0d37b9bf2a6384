import { Module } from '@nestjs/common';
import { RegistryClientModule } from '../registry-client/registry-client.module';
import { RepositoryModule } from '../repository/repository.module';
import { TagModule } from '../tag/tag.module';
import { ReconcileTags } from './reconcile-tags';

/** Reconciles stored tags with the registry. */
@Module({
  imports: [RegistryClientModule, RepositoryModule, TagModule],
  providers: [ReconcileTags],
  exports: [ReconcileTags],
})
export class ReconciliationModule {}
