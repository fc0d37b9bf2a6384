import { filesOf } from '@moothall/files';
import { Module } from '@nestjs/common';

/** Where files of packages are kept. */
@Module(filesOf('delivery'))
export class FilesModule {}
