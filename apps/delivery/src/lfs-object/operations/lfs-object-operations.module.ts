import { Module } from '@nestjs/common';
import { LfsObjectModule } from '../lfs-object.module';
import { LfsObjectOperations } from './lfs-objects.operations';

/** Operations on objects of Git LFS. */
@Module({ imports: [LfsObjectModule], controllers: [LfsObjectOperations] })
export class LfsObjectOperationsModule {}
