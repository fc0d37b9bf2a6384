import { filesOf } from '@moothall/files';
import { Module } from '@nestjs/common';

/** Where reports and exports are kept. */
@Module(filesOf('security'))
export class FilesModule {}
