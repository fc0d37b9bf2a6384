import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { EvidenceFiles } from './evidence.repository';
import { evidenceFileSchema } from './evidence.schema';
import { Releases } from './release.repository';
import { releaseSchema } from './release.schema';
import { ReleaseViews } from './release-views';
import { ServeEvidence } from './serve-evidence';

/** Releases, their links and their evidence. */
@Module({
  imports: [
    MongooseModule.forFeature([
      { name: 'Release', schema: releaseSchema },
      { name: 'EvidenceFile', schema: evidenceFileSchema },
    ]),
  ],
  providers: [EvidenceFiles, Releases, ReleaseViews, ServeEvidence],
  exports: [EvidenceFiles, Releases, ReleaseViews, ServeEvidence],
})
export class ReleaseModule {}
