import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { Artifacts } from './artifact.repository';
import { artifactSchema } from './artifact.schema';
import { FilesModule } from './files.module';
import { RemoveOldArtifacts } from './remove-old-artifacts';
import { ServeArtifacts } from './serve-artifacts';

/** What jobs leave behind. */
@Module({
  imports: [FilesModule, MongooseModule.forFeature([{ name: 'Artifact', schema: artifactSchema }])],
  providers: [Artifacts, RemoveOldArtifacts, ServeArtifacts],
  exports: [Artifacts, FilesModule, ServeArtifacts],
})
export class ArtifactModule {}
