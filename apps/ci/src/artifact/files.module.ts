import { filesOf } from '@moothall/files';
import { Module } from '@nestjs/common';

/** The file storage of artifacts. */
@Module(filesOf('ci'))
export class FilesModule {}
