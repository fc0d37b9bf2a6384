import {
  type DeployToken,
  type GroupRef,
  invalidRecord,
  type Page,
  type ProjectRef,
  present,
} from '@moothall/contracts';
import { isBeforeToday } from '../expiry/is-before-today';
import { DeployTokens } from './deploy-token.repository';
import type { DeployToken as KeptToken, TokenParent } from './deploy-token.schema';
import { viewDeployToken } from './deploy-token.view';

interface Context {
  project?: ProjectRef | undefined;
  group?: GroupRef | undefined;
}
interface Request {
  name: string;
  scopes: KeptToken['scopes'];
  expires_at?: string | null | undefined;
  username?: string | null | undefined;
}

/** Operations on the deploy tokens of a project or group. */
export abstract class ParentDeployTokens {
  constructor(private readonly tokens: DeployTokens) {}

  async list(
    context: Context,
    input: { page: number; per_page: number; active?: boolean | undefined },
  ): Promise<Page<DeployToken>> {
    const { items, total } = await this.tokens.page(parentOf(context), input);
    return { items: items.map(viewDeployToken), total };
  }

  async get(context: Context, { token_id }: { token_id: number }): Promise<DeployToken> {
    return viewDeployToken(await this.tokens.get(parentOf(context), token_id));
  }

  async create(
    context: Context,
    { name, scopes, expires_at, username }: Request,
  ): Promise<DeployToken & { token: string }> {
    const expiresAt = expires_at ? new Date(expires_at) : null;
    if (expiresAt && isBeforeToday(expiresAt)) throw invalidRecord({ expires_at: ['must be in the future'] });
    const request = { parent: parentOf(context), name, scopes: [...new Set(scopes)], expiresAt };
    const { token, value } = await this.tokens.issue(request, username);
    return { ...viewDeployToken(token), token: value };
  }

  async revoke(context: Context, { token_id }: { token_id: number }): Promise<void> {
    await this.tokens.revoke(await this.tokens.get(parentOf(context), token_id));
  }
}

function parentOf({ project, group }: Context): TokenParent {
  if (project) return { kind: 'project', id: project.id };
  return { kind: 'group', id: present(group, 'a project or group').id };
}
