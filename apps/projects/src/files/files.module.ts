import { filesOf } from '@moothall/files';
import { Module } from '@nestjs/common';

/** Object storage for uploads, avatars and archives. */
@Module(filesOf('projects'))
export class FilesModule {}
