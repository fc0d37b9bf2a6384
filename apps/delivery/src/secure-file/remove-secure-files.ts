import { PeriodicJob } from '@moothall/background';
import { Injectable } from '@nestjs/common';
import { SecureFiles } from './secure-file.repository';

/** Longer than any upload. */
const givenUpAfterMs = 3_600_000;

/** Deletes leftovers of killed processes. */
@Injectable()
export class RemoveSecureFiles {
  constructor(private readonly files: SecureFiles) {}

  @PeriodicJob('secure files that are removed', { everySeconds: 60 })
  async run(signal?: AbortSignal): Promise<void> {
    await this.files.removeOld(new Date(Date.now() - givenUpAfterMs), signal);
  }
}
