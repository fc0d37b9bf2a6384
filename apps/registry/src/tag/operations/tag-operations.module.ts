import { Module } from '@nestjs/common';
import { ProtectionModule } from '../../protection/protection.module';
import { RegistryClientModule } from '../../registry-client/registry-client.module';
import { RepositoryModule } from '../../repository/repository.module';
import { TagModule } from '../tag.module';
import { DeleteTag } from './delete-tag';
import { ReadTags } from './read-tags';

/** Operations on tags. */
@Module({
  imports: [ProtectionModule, RegistryClientModule, RepositoryModule, TagModule],
  controllers: [DeleteTag, ReadTags],
})
export class TagOperationsModule {}
