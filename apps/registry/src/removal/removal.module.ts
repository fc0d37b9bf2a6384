import { Module } from '@nestjs/common';
import { RegistryClientModule } from '../registry-client/registry-client.module';
import { RepositoryModule } from '../repository/repository.module';
import { TagModule } from '../tag/tag.module';
import { RemoveRepository } from './remove-repository';

/** Removal of image repositories. */
@Module({
  imports: [RegistryClientModule, RepositoryModule, TagModule],
  providers: [RemoveRepository],
  exports: [RemoveRepository],
})
export class RemovalModule {}
