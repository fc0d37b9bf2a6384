import { filesOf } from '@moothall/files';
import { Module } from '@nestjs/common';

/** Where uploads, avatars and archives are kept. */
@Module(filesOf('projects'))
export class FilesModule {}
