import {
  Access,
  type Caller,
  type createProjectToken,
  forbidden,
  type GroupRef,
  type Page,
  type ParsedOf,
  type ProjectRef,
  present,
  type ResourceToken,
} from '@moothall/contracts';
import { futureExpiryOf } from '../personal-access-token/create-token';
import { rotatedExpiryOf } from '../personal-access-token/rotate-token';
import { ownTokenId, stateCondition } from '../personal-access-token/token.operations';
import { AccessTokens, type IssuedToken } from '../personal-access-token/token.repository';
import type { AccessToken } from '../personal-access-token/token.schema';
import { viewToken } from '../personal-access-token/token.view';
import { type Resource, ResourceBots } from './resource-bots';

interface Context {
  project?: ProjectRef | undefined;
  group?: GroupRef | undefined;
  caller: Caller;
}
interface Listing {
  page: number;
  per_page: number;
  state?: 'active' | 'inactive' | undefined;
}
interface OneToken {
  token_id: number;
}
interface Rotation {
  expires_at?: string | null | undefined;
}
type Creation = Omit<ParsedOf<typeof createProjectToken>, 'id'>;
type NewToken = ResourceToken & { token: string };

/** Operations on the access tokens of a project or group. See docs/api/tokens.md#4. */
export abstract class ResourceTokens {
  constructor(
    private readonly tokens: AccessTokens,
    private readonly bots: ResourceBots,
  ) {}

  async list(context: Context, input: Listing): Promise<Page<ResourceToken>> {
    // Revoked tokens are deleted with their bots; the others can only be expired.
    const state = stateCondition(input.state ?? 'active');
    const { items, total } = await this.tokens.page({ ...tokensOf(resourceOf(context)), ...state }, input);
    return { items: items.map(view), total };
  }

  async get(context: Context, { token_id }: OneToken): Promise<ResourceToken> {
    return view(await this.find(context, token_id));
  }

  async create(context: Context, { name, description, scopes, expires_at, access_level }: Creation): Promise<NewToken> {
    const resource = resourceOf(context);
    requireWithin(access_level, resource);
    const expiresAt = futureExpiryOf(expires_at);
    const bot = await this.bots.make(name, access_level, context.caller, resource);
    const given = { userId: bot._id, accessLevel: access_level, name, description, scopes, expiresAt };
    return viewNew(await this.tokens.issue({ ...tokensOf(resource), ...given }));
  }

  async revoke(context: Context, { token_id }: OneToken): Promise<void> {
    const token = await this.findManageable(context, token_id);
    await this.tokens.revoke(token);
    await this.bots.remove(token.userId);
  }

  async rotate(context: Context, { token_id, expires_at }: OneToken & Rotation): Promise<NewToken> {
    return this.replace(await this.findManageable(context, token_id), expires_at);
  }

  /**
   * @throws common.bad_request for a credential that is not such a token; token.not_found for one of another resource
   */
  async rotateOwn(context: Context, { expires_at }: Rotation): Promise<NewToken> {
    return this.replace(await this.find(context, ownTokenId(context.caller)), expires_at);
  }

  private async replace(token: AccessToken, until: string | null | undefined): Promise<NewToken> {
    return viewNew(await this.tokens.rotate(token, rotatedExpiryOf(until)));
  }

  /**
   * Rotating a token above the caller's own level would give them that level. @throws token.not_found, common.forbidden
   */
  private async findManageable(context: Context, id: number): Promise<AccessToken> {
    const token = await this.find(context, id);
    requireWithin(token.accessLevel ?? Access.None, resourceOf(context));
    return token;
  }

  private find(context: Context, id: number): Promise<AccessToken> {
    return this.tokens.get({ _id: id, ...tokensOf(resourceOf(context)) });
  }
}

/** @throws common.forbidden for a level above the caller's own */
function requireWithin(level: number, resource: Resource): void {
  const { accessLevel } = resource.kind === 'project' ? resource.project : resource.group;
  if (level > accessLevel) throw forbidden();
}

function resourceOf({ project, group }: Context): Resource {
  if (project) return { kind: 'project', id: project.id, project };
  const { id } = present(group, 'a project or group');
  return { kind: 'group', id, group: present(group, 'a project or group') };
}

const tokensOf = ({ kind, id }: Resource) => (kind === 'project' ? { kind, projectId: id } : { kind, groupId: id });

function view(token: AccessToken): ResourceToken {
  const { kind, projectId, groupId, accessLevel } = token;
  return {
    ...viewToken(token),
    access_level: accessLevel ?? 0,
    resource_type: kind === 'group' ? 'group' : 'project',
    resource_id: present(projectId ?? groupId, 'what its token is for'),
  };
}

const viewNew = ({ token, value }: IssuedToken): NewToken => ({ ...view(token), token: value });
