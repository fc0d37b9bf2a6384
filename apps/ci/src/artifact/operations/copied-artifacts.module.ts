import { ciFiles } from '@moothall/contracts';
import { copiedFilesOf, FileSources } from '@moothall/files';
import { Module } from '@nestjs/common';
import { ArtifactModule } from '../artifact.module';
import { ArtifactsToCopy } from '../artifacts-to-copy';

/** Artifacts that a secondary copies. */
@Module({
  imports: [ArtifactModule],
  controllers: [copiedFilesOf(ciFiles)],
  providers: [
    {
      provide: FileSources,
      inject: [ArtifactsToCopy],
      useFactory: (job_artifacts: ArtifactsToCopy) => new FileSources({ job_artifacts }),
    },
  ],
})
export class CopiedArtifactsModule {}
