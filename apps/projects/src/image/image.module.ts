import { Module } from '@nestjs/common';
import { FilesModule } from '../files/files.module';
import { Avatars } from './avatars';

/** Avatars of projects, groups and topics. */
@Module({
  imports: [FilesModule],
  providers: [Avatars],
  exports: [Avatars],
})
export class ImageModule {}
