import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { FilesModule } from '../files/files.module';
import { RemoveSecureFiles } from './remove-secure-files';
import { SecureFiles } from './secure-file.repository';
import { secureFileSchema } from './secure-file.schema';
import { ServeSecureFiles } from './serve-secure-files';

/** Secure files for CI jobs. */
@Module({
  imports: [FilesModule, MongooseModule.forFeature([{ name: 'SecureFile', schema: secureFileSchema }])],
  providers: [RemoveSecureFiles, SecureFiles, ServeSecureFiles],
  exports: [SecureFiles, ServeSecureFiles],
})
export class SecureFileModule {}
