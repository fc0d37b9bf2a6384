import { Module } from '@nestjs/common';
import { ProtectionModule } from '../../protection/protection.module';
import { RegistryClientModule } from '../../registry-client/registry-client.module';
import { RemovalModule } from '../../removal/removal.module';
import { TagModule } from '../../tag/tag.module';
import { RepositoryModule } from '../repository.module';
import { DeleteRepository } from './delete-repository';
import { ReadRepositories } from './read-repositories';
import { RepositoryViews } from './repository.view';

/** Lists and deletion of image repositories. */
@Module({
  imports: [ProtectionModule, RegistryClientModule, RemovalModule, RepositoryModule, TagModule],
  controllers: [DeleteRepository, ReadRepositories],
  providers: [RepositoryViews],
})
export class RepositoryOperationsModule {}
