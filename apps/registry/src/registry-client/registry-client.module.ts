import { Module } from '@nestjs/common';
import { SigningModule } from '../signing/signing.module';
import { ImageReader } from './image-reader';
import { RegistryClient } from './registry-client';

/** The registry that stores the images. */
@Module({
  imports: [SigningModule],
  providers: [ImageReader, RegistryClient],
  exports: [ImageReader, RegistryClient],
})
export class RegistryClientModule {}
