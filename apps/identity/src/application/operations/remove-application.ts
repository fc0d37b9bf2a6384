import { tokenRevoked } from '@moothall/contracts';
import { newEvent } from '@moothall/database';
import { EventPublisher } from '@moothall/messaging';
import { Injectable } from '@nestjs/common';
import { OauthTokens } from '../../oauth/oauth-token.repository';
import { Applications } from '../application.repository';
import type { Application } from '../application.schema';

/** Deletes an application, and revokes its tokens. */
@Injectable()
export class RemoveApplication {
  constructor(
    private readonly applications: Applications,
    private readonly tokens: OauthTokens,
    private readonly publisher: EventPublisher,
  ) {}

  /** @param ownerId null for applications of the instance @throws application.not_found */
  async remove(id: number, ownerId: number | null): Promise<void> {
    await this.applications.require(id, ownerId);
    const former = await this.applications.find(id);
    // Before it is deleted: after a failure the caller can retry.
    await this.tokens.revokeOfApplication(id);
    await this.applications.remove(id, ownerId);
    // Tokens issued meanwhile.
    await this.tokens.revokeOfApplication(id);
    await this.publishRevoked(former);
  }

  /** A replication node authenticates with the secret itself: caches must drop it. */
  async publishRevoked(former: Application | null): Promise<void> {
    if (former?.geoNodeId === undefined) return;
    await this.publisher.publish(newEvent(tokenRevoked, { token_sha256: former.secretHash, user_id: null }));
  }
}
