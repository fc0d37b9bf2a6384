import { Module } from '@nestjs/common';
import { UploadSpool } from './spool';

/** Files of clients, until services have read them. */
@Module({
  providers: [UploadSpool],
  exports: [UploadSpool],
})
export class UploadsModule {}
