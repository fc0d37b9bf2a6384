import { Module } from '@nestjs/common';
import { SecureFileModule } from '../secure-file.module';
import { SecureFileOperations } from './secure-files.operations';

/** Operations on secure files. */
@Module({ imports: [SecureFileModule], controllers: [SecureFileOperations] })
export class SecureFileOperationsModule {}
