import { getMetadata, getVersion, type ResultOf } from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { settingsToken } from '@moothall/service';
import { Controller, Inject } from '@nestjs/common';
import type { IdentitySettings } from '../settings/settings';

/** See docs/api/instance.md#4. */
@Controller()
export class VersionOperations {
  private readonly facts: ResultOf<typeof getMetadata>;

  constructor(@Inject(settingsToken) { REPORTED_VERSION, EDITION }: IdentitySettings) {
    this.facts = {
      version: REPORTED_VERSION,
      revision: 'moothall',
      kas: { enabled: false, externalUrl: null, version: null },
      enterprise: EDITION === 'enterprise',
    };
  }

  @Handles(getVersion)
  async version(): Promise<ResultOf<typeof getVersion>> {
    return this.facts;
  }

  @Handles(getMetadata)
  async metadata(): Promise<ResultOf<typeof getMetadata>> {
    return this.facts;
  }
}
