import {
  type ContextOf,
  createProjectToken,
  forbidden,
  getProjectToken,
  listProjectTokens,
  type ParsedOf,
  present,
  type ResultOf,
  revokeProjectToken,
  rotateProjectToken,
} from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { futureExpiryOf } from '../personal-access-token/create-token';
import { rotatedExpiryOf } from '../personal-access-token/rotate-token';
import { stateCondition } from '../personal-access-token/token.operations';
import { AccessTokens } from '../personal-access-token/token.repository';
import type { AccessToken } from '../personal-access-token/token.schema';
import { viewToken } from '../personal-access-token/token.view';
import { ProjectBots } from './project-bot';

@Controller()
export class ProjectTokens {
  constructor(
    private readonly tokens: AccessTokens,
    private readonly bots: ProjectBots,
  ) {}

  @Handles(listProjectTokens)
  async list(
    { project }: ContextOf<typeof listProjectTokens>,
    input: ParsedOf<typeof listProjectTokens>,
  ): Promise<ResultOf<typeof listProjectTokens>> {
    // Revoked tokens are gone with their bots; what is left has at most run out.
    const state = stateCondition(input.state ?? 'active');
    const { items, total } = await this.tokens.page({ projectId: project.id, kind: 'project', ...state }, input);
    return { items: items.map(view), total };
  }

  @Handles(getProjectToken)
  async get(
    { project }: ContextOf<typeof getProjectToken>,
    { token_id }: ParsedOf<typeof getProjectToken>,
  ): Promise<ResultOf<typeof getProjectToken>> {
    return view(await this.find(project.id, token_id));
  }

  @Handles(createProjectToken)
  async create(
    { project, caller }: ContextOf<typeof createProjectToken>,
    { name, description, scopes, expires_at, access_level }: ParsedOf<typeof createProjectToken>,
  ): Promise<ResultOf<typeof createProjectToken>> {
    if (access_level > project.accessLevel) throw forbidden();
    const expiresAt = futureExpiryOf(expires_at);
    const bot = await this.bots.make(name, access_level, caller, project);
    const { token, value } = await this.tokens.issue({
      kind: 'project',
      userId: bot._id,
      projectId: project.id,
      accessLevel: access_level,
      name,
      description,
      scopes,
      expiresAt,
    });
    return { ...view(token), token: value };
  }

  @Handles(revokeProjectToken)
  async revoke(
    { project }: ContextOf<typeof revokeProjectToken>,
    { token_id }: ParsedOf<typeof revokeProjectToken>,
  ): Promise<void> {
    const token = await this.find(project.id, token_id);
    await this.tokens.revoke(token);
    await this.bots.remove(token.userId);
  }

  @Handles(rotateProjectToken)
  async rotate(
    { project }: ContextOf<typeof rotateProjectToken>,
    { token_id, expires_at }: ParsedOf<typeof rotateProjectToken>,
  ): Promise<ResultOf<typeof rotateProjectToken>> {
    const { token, value } = await this.tokens.rotate(
      await this.find(project.id, token_id),
      rotatedExpiryOf(expires_at),
    );
    return { ...view(token), token: value };
  }

  private find(projectId: number, id: number): Promise<AccessToken> {
    return this.tokens.get({ _id: id, projectId, kind: 'project' });
  }
}

function view(token: AccessToken) {
  const { projectId, accessLevel } = token;
  return {
    ...viewToken(token),
    access_level: accessLevel ?? 0,
    resource_type: 'project' as const,
    resource_id: present(projectId, 'the project of its token'),
  };
}
