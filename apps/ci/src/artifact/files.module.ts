import { filesOf } from '@moothall/files';
import { Module } from '@nestjs/common';

/** Where artifacts are kept. */
@Module(filesOf('ci'))
export class FilesModule {}
