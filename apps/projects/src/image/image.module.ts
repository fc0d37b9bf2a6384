import { Module } from '@nestjs/common';
import { FilesModule } from '../files/files.module';
import { Avatars } from './avatars';

/** Images that stand for projects, groups and topics. */
@Module({
  imports: [FilesModule],
  providers: [Avatars],
  exports: [Avatars],
})
export class ImageModule {}
