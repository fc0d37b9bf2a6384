import { Module } from '@nestjs/common';
import { RepositoryModule } from '../../repository/repository.module';
import { ProtectionModule } from '../protection.module';
import { ImageProtectionOperations } from './image-protection.operations';
import { TagProtectionOperations } from './tag-protection.operations';

/** Rules of protection as maintainers see and change them. */
@Module({
  imports: [ProtectionModule, RepositoryModule],
  controllers: [ImageProtectionOperations, TagProtectionOperations],
})
export class ProtectionOperationsModule {}
