import { PeriodicJob } from '@moothall/background';
import { Injectable } from '@nestjs/common';
import { Artifacts } from './artifact.repository';

/** Longer than any file may be on its way. */
const givenUpAfterMs = 3_600_000;

/** Deletes expired artifacts, and unfinished uploads of killed processes. */
@Injectable()
export class RemoveOldArtifacts {
  constructor(private readonly artifacts: Artifacts) {}

  @PeriodicJob('old artifacts', { everySeconds: 60 })
  async run(signal?: AbortSignal): Promise<void> {
    const now = Date.now();
    await this.artifacts.removeOld(new Date(now), new Date(now - givenUpAfterMs), signal);
  }
}
