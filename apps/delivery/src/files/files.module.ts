import { filesOf } from '@moothall/files';
import { Module } from '@nestjs/common';

/** Object storage for files of packages. */
@Module(filesOf('delivery'))
export class FilesModule {}
