import { Module } from '@nestjs/common';
import { LfsObjectModule } from '../lfs-object.module';
import { LfsObjectOperations } from './lfs-objects.operations';

/** Objects of Git LFS as they are sent, fetched and copied. */
@Module({ imports: [LfsObjectModule], controllers: [LfsObjectOperations] })
export class LfsObjectOperationsModule {}
