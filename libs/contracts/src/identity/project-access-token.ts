import { z } from 'zod';
import {
  Access,
  commaList,
  date,
  del,
  get,
  id,
  nothing,
  onProject,
  operation,
  page,
  post,
  projectRef,
} from '../operation';
import { PersonalAccessToken, rotatedUntil, tokenScopes } from './personal-access-token';

/** A token of a project's own; a bot user holds it. See docs/api/tokens.md#4. */
const ProjectAccessToken = PersonalAccessToken.extend({
  access_level: z.int(),
  resource_type: z.literal('project'),
  resource_id: id,
});
const NewProjectAccessToken = ProjectAccessToken.extend({ token: z.string() });

const maintained = onProject({ level: Access.Maintainer });
const token = { ...projectRef, token_id: id };
const levels = [Access.Guest, Access.Reporter, Access.Developer, Access.Maintainer, Access.Owner] as const;

export const listProjectTokens = operation({
  name: 'identity.project-access-tokens.list',
  summary: 'Access tokens of a project',
  http: get('/projects/:id/access_tokens'),
  access: maintained,
  input: z.object({ ...projectRef, state: z.enum(['active', 'inactive']).optional() }),
  output: page(ProjectAccessToken),
});

export const getProjectToken = operation({
  name: 'identity.project-access-tokens.get',
  summary: 'One access token of a project',
  refusals: ['token.not_found'],
  http: get('/projects/:id/access_tokens/:token_id'),
  access: maintained,
  input: z.object(token),
  output: ProjectAccessToken,
});

export const createProjectToken = operation({
  name: 'identity.project-access-tokens.create',
  summary: 'Create an access token of a project',
  description:
    'A bot user holds it, as a member of the project with the level given. The answer holds the token, this once.',
  refusals: ["common.forbidden for a level above the caller's own"],
  http: post('/projects/:id/access_tokens'),
  access: maintained,
  input: z.object({
    ...projectRef,
    name: z.string().min(1).max(255),
    description: z.string().max(2000).nullish(),
    scopes: commaList(z.enum(tokenScopes).exclude(['sudo', 'read_user'])).min(1),
    expires_at: date.nullish(),
    access_level: z
      .int()
      .default(Access.Maintainer)
      .refine((level) => levels.some((known) => known === level), {
        error: 'does not have a valid value',
      }),
  }),
  output: NewProjectAccessToken,
});

export const revokeProjectToken = operation({
  name: 'identity.project-access-tokens.revoke',
  summary: 'Revoke an access token of a project',
  description: 'The bot user that held it goes with it.',
  refusals: ['token.not_found'],
  http: del('/projects/:id/access_tokens/:token_id'),
  access: maintained,
  input: z.object(token),
  output: nothing(),
});

export const rotateProjectToken = operation({
  name: 'identity.project-access-tokens.rotate',
  summary: 'Replace an access token of a project',
  description:
    'The token is revoked, and the answer holds another in its place, for a week unless `expires_at` says otherwise.',
  refusals: ['token.not_found'],
  http: post('/projects/:id/access_tokens/:token_id/rotate', { success: 200 }),
  access: maintained,
  input: z.object({ ...token, expires_at: rotatedUntil }),
  output: NewProjectAccessToken,
});
