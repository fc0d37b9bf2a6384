import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { Artifacts } from './artifact.repository';
import { artifactSchema } from './artifact.schema';
import { ArtifactsToCopy } from './artifacts-to-copy';
import { FilesModule } from './files.module';
import { RemoveOldArtifacts } from './remove-old-artifacts';
import { ServeArtifacts } from './serve-artifacts';

/** What jobs leave behind. */
@Module({
  imports: [FilesModule, MongooseModule.forFeature([{ name: 'Artifact', schema: artifactSchema }])],
  providers: [Artifacts, ArtifactsToCopy, RemoveOldArtifacts, ServeArtifacts],
  exports: [Artifacts, ArtifactsToCopy, FilesModule, ServeArtifacts],
})
export class ArtifactModule {}
