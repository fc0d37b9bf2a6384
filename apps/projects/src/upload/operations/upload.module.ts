import { Module } from '@nestjs/common';
import { FilesModule } from '../../files/files.module';
import { InstanceModule } from '../../instance/instance.module';
import { ProjectModule } from '../../project/project.module';
import { StoredUploads } from './stored-uploads';
import { Uploads } from './uploads.operations';

/** Files that users upload to projects. */
@Module({
  imports: [FilesModule, InstanceModule, ProjectModule],
  controllers: [Uploads],
  providers: [StoredUploads],
  exports: [StoredUploads],
})
export class UploadModule {}
