import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { Artifacts } from './artifact.repository';
import { artifactSchema } from './artifact.schema';
import { ArtifactsToCopy } from './artifacts-to-copy';
import { FilesModule } from './files.module';
import { ReadReports } from './read-reports';
import { RemoveOldArtifacts } from './remove-old-artifacts';
import { ServeArtifacts } from './serve-artifacts';

/** Artifacts of jobs. */
@Module({
  imports: [FilesModule, MongooseModule.forFeature([{ name: 'Artifact', schema: artifactSchema }])],
  providers: [Artifacts, ArtifactsToCopy, ReadReports, RemoveOldArtifacts, ServeArtifacts],
  exports: [Artifacts, ArtifactsToCopy, FilesModule, ReadReports, ServeArtifacts],
})
export class ArtifactModule {}
