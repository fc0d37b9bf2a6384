import {
  applicationErrors,
  authenticateNode,
  type ContextOf,
  isError,
  nodesWithApplication,
  type ParsedOf,
  removeNodeApplication,
  renewNodeApplication,
} from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { OauthTokens } from '../../oauth/oauth-token.repository';
import { Applications } from '../application.repository';
import { RemoveApplication } from './remove-application';

/** Applications of replication nodes, for the geo service. */
@Controller()
export class NodeApplications {
  constructor(
    private readonly applications: Applications,
    private readonly tokens: OauthTokens,
    private readonly removal: RemoveApplication,
  ) {}

  @Handles(renewNodeApplication)
  async renew(_: ContextOf<typeof renewNodeApplication>, input: ParsedOf<typeof renewNodeApplication>) {
    const former = await this.applications.findOfNode(input.node_id);
    const { application, secret } = await this.applications.renewOfNode(input.node_id, {
      name: `Geo node: ${input.name}`,
      redirectUris: [`${input.url.replace(/\/$/, '')}/oauth/geo/callback`],
      scopes: ['read_user'],
      isConfidential: true,
      isTrusted: false,
      ownerId: null,
    });
    await this.tokens.revokeOfApplication(application._id);
    await this.removal.publishRevoked(former);
    return { application_id: application.uid, secret };
  }

  @Handles(removeNodeApplication)
  async remove(
    _: ContextOf<typeof removeNodeApplication>,
    { node_id }: ParsedOf<typeof removeNodeApplication>,
  ): Promise<void> {
    const application = await this.applications.findOfNode(node_id);
    if (!application) return;
    await this.removal.remove(application._id, application.ownerId).catch((error: unknown) => {
      // A concurrent request was first.
      if (!isError(error, applicationErrors.notFound)) throw error;
    });
  }

  @Handles(nodesWithApplication)
  list(_: ContextOf<typeof nodesWithApplication>, { node_ids }: ParsedOf<typeof nodesWithApplication>) {
    return this.applications.nodesWithOne(node_ids);
  }

  @Handles(authenticateNode)
  async authenticate(_: ContextOf<typeof authenticateNode>, input: ParsedOf<typeof authenticateNode>) {
    const application = await this.applications.authenticate(input.application_id, input.secret);
    return { node_id: application?.geoNodeId ?? null };
  }
}
