import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { FilesModule } from '../files/files.module';
import { LfsContents } from './lfs-content.repository';
import { lfsContentSchema } from './lfs-content.schema';
import { LfsFiles } from './lfs-files';
import { LfsObjects } from './lfs-object.repository';
import { lfsObjectSchema } from './lfs-object.schema';
import { ReceiveLfsObjects } from './receive-lfs-objects';
import { RemoveLfsObjects } from './remove-lfs-objects';
import { ServeLfsObjects } from './serve-lfs-objects';

/** Objects of Git LFS. */
@Module({
  imports: [
    FilesModule,
    MongooseModule.forFeature([
      { name: 'LfsContent', schema: lfsContentSchema },
      { name: 'LfsObject', schema: lfsObjectSchema },
    ]),
  ],
  providers: [LfsContents, LfsFiles, LfsObjects, ReceiveLfsObjects, RemoveLfsObjects, ServeLfsObjects],
  exports: [LfsContents, LfsFiles, LfsObjects, ReceiveLfsObjects, RemoveLfsObjects, ServeLfsObjects],
})
export class LfsObjectModule {}
