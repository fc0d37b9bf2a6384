import { Module } from '@nestjs/common';
import { ProjectModule } from '../../project/project.module';
import { ReleaseModule } from '../release.module';
import { ArchivedReleases } from './archived-releases';
import { ChangeRelease } from './change-release';
import { ChangingReleases } from './changing-releases';
import { CreateRelease } from './create-release';
import { ReadReleases } from './read-releases';
import { ReleaseLinks } from './release-links.operations';

/** Operations on releases. */
@Module({
  imports: [ProjectModule, ReleaseModule],
  controllers: [ArchivedReleases, ChangeRelease, CreateRelease, ReadReleases, ReleaseLinks],
  providers: [ChangingReleases],
})
export class ReleaseOperationsModule {}
