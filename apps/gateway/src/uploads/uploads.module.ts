import { Module } from '@nestjs/common';
import { UploadSpool } from './spool';

/** Files of clients, until services have fetched them. */
@Module({
  providers: [UploadSpool],
  exports: [UploadSpool],
})
export class UploadsModule {}
