import { Module } from '@nestjs/common';
import { StorageModule } from '../storage/storage.module';
import { RepositoryCopies } from './bring-objects';
import { CopyOperations } from './copy.operations';

/** Copies of objects and refs between storages. */
@Module({
  imports: [StorageModule],
  controllers: [CopyOperations],
  providers: [RepositoryCopies],
  exports: [RepositoryCopies],
})
export class CopiesModule {}
