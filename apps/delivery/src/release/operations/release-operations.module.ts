import { Module } from '@nestjs/common';
import { ReleaseModule } from '../release.module';
import { ChangeRelease } from './change-release';
import { ChangingReleases } from './changing-releases';
import { CreateRelease } from './create-release';
import { ReadReleases } from './read-releases';
import { ReleaseLinks } from './release-links.operations';

/** Releases as users make, read and change them. */
@Module({
  imports: [ReleaseModule],
  controllers: [ChangeRelease, CreateRelease, ReadReleases, ReleaseLinks],
  providers: [ChangingReleases],
})
export class ReleaseOperationsModule {}
