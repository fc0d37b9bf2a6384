import { Injectable } from '@nestjs/common';
import { OauthTokens } from '../../oauth/oauth-token.repository';
import { Applications } from '../application.repository';

/** Ends an application, and what it was given. */
@Injectable()
export class RemoveApplication {
  constructor(
    private readonly applications: Applications,
    private readonly tokens: OauthTokens,
  ) {}

  /** @param ownerId null for those of the instance @throws application.not_found */
  async remove(id: number, ownerId: number | null): Promise<void> {
    await this.applications.require(id, ownerId);
    // Before it goes: whoever hears that this failed finds it, and tries again.
    await this.tokens.revokeOfApplication(id);
    await this.applications.remove(id, ownerId);
    // What it was given meanwhile.
    await this.tokens.revokeOfApplication(id);
  }
}
