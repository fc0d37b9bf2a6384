import { type Caller, nodeScope } from '@moothall/contracts';
import { Injectable } from '@nestjs/common';
import { Applications } from '../application/application.repository';
import type { Bearer } from './token-bearer';

const applicationId = /^[0-9a-f]{64}$/;

/**
 * Resolves the credentials of a replication node, by its application. It has no user, and may read everything that it
 * copies. See docs/api/geo.md#2.
 */
@Injectable()
export class NodeBearer {
  constructor(private readonly applications: Applications) {}

  /** @returns undefined if it is not a node's application, or the secret is wrong */
  async find(uid: string, secret: string): Promise<Bearer | undefined> {
    if (!applicationId.test(uid)) return undefined;
    const application = await this.applications.authenticate(uid, secret);
    if (application?.geoNodeId === undefined) return undefined;
    return { caller: callerOf(application.geoNodeId, application.name), expires_at: null };
  }
}

const callerOf = (nodeId: number, name: string): Caller => ({
  id: -nodeId,
  username: `geo-node-${nodeId}`,
  name,
  email: '',
  isAdmin: true,
  isExternal: false,
  credential: 'geo_node',
  scopes: [nodeScope],
});
