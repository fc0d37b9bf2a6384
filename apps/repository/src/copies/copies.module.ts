import { Module } from '@nestjs/common';
import { StorageModule } from '../storage/storage.module';
import { RepositoryCopies } from './bring-objects';
import { CopyOperations } from './copy.operations';

/** Objects and refs from one storage to another. */
@Module({
  imports: [StorageModule],
  controllers: [CopyOperations],
  providers: [RepositoryCopies],
  exports: [RepositoryCopies],
})
export class CopiesModule {}
