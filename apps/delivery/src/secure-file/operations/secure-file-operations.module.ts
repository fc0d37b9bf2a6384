import { Module } from '@nestjs/common';
import { SecureFileModule } from '../secure-file.module';
import { SecureFileOperations } from './secure-files.operations';

/** Secure files as users and jobs see them. */
@Module({ imports: [SecureFileModule], controllers: [SecureFileOperations] })
export class SecureFileOperationsModule {}
