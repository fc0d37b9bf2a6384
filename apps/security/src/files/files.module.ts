import { filesOf } from '@moothall/files';
import { Module } from '@nestjs/common';

/** Object storage for reports and exports. */
@Module(filesOf('security'))
export class FilesModule {}
