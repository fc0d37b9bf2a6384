import { Module } from '@nestjs/common';
import { RegistryClientModule } from '../registry-client/registry-client.module';
import { RepositoryModule } from '../repository/repository.module';
import { SigningModule } from '../signing/signing.module';
import { TagModule } from '../tag/tag.module';
import { CopiedImages } from './copied-images.operations';

/** Images that a secondary copies. */
@Module({ imports: [RegistryClientModule, RepositoryModule, SigningModule, TagModule], controllers: [CopiedImages] })
export class CopiedImagesModule {}
