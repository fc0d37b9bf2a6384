import { getMetadata, getVersion, type ResultOf } from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { settingsToken } from '@moothall/service';
import { Controller, Inject } from '@nestjs/common';
import type { IdentitySettings } from '../settings/settings';

/** The release of the v4 interface that is answered; clients compare it before they use newer parts. */
const version = { version: '13.6.0', revision: 'moothall' };

@Controller()
export class VersionOperations {
  constructor(@Inject(settingsToken) private readonly settings: IdentitySettings) {}

  @Handles(getVersion)
  async version(): Promise<ResultOf<typeof getVersion>> {
    return version;
  }

  @Handles(getMetadata)
  async metadata(): Promise<ResultOf<typeof getMetadata>> {
    const kas = { enabled: false, externalUrl: null, version: null };
    return { ...version, kas, enterprise: this.settings.EDITION === 'enterprise' };
  }
}
