import { Module } from '@nestjs/common';
import { RepositoryModule } from '../../repository/repository.module';
import { ProtectionModule } from '../protection.module';
import { ImageProtectionOperations } from './image-protection.operations';
import { TagProtectionOperations } from './tag-protection.operations';

/** Operations on protection rules, for maintainers. */
@Module({
  imports: [ProtectionModule, RepositoryModule],
  controllers: [ImageProtectionOperations, TagProtectionOperations],
})
export class ProtectionOperationsModule {}
