import { z } from 'zod';
import {
  type Ability,
  Access,
  type AccessLevel,
  commaList,
  date,
  del,
  get,
  id,
  nothing,
  ofGroups,
  ofProjects,
  operation,
  type Parent,
  type ParentRule,
  page,
  post,
} from '../operation';
import { PersonalAccessToken, rotatedUntil, tokenScopes } from './personal-access-token';

/** A token of a project or group; it belongs to a bot user. See docs/api/tokens.md#4. */
const ResourceToken = PersonalAccessToken.extend({
  access_level: z.int(),
  resource_type: z.enum(['project', 'group']),
  resource_id: id,
});
export type ResourceToken = z.infer<typeof ResourceToken>;
const NewResourceToken = ResourceToken.extend({ token: z.string() });

const levels = [Access.Guest, Access.Reporter, Access.Developer, Access.Maintainer, Access.Owner] as const;
const aboveOwn = "common.forbidden for a level above the caller's own";
const replacement = 'Revokes the token and answers a new one, valid for a week unless `expires_at` is given.';
const reused = ' Who gives one that was revoked already ends the one in its place, too.';

/** @param rule the level or ability for listing and creating tokens */
function accessTokensOf<R extends ParentRule>(
  { kind, path, ref, on }: Parent<R>,
  rule: { level: AccessLevel; ability: Ability },
) {
  const managed = on(rule);
  const one = { ...ref, token_id: id };
  return {
    list: operation({
      name: `identity.${kind}-access-tokens.list`,
      summary: `Access tokens of a ${kind}`,
      http: get(`${path}/access_tokens`),
      access: managed,
      input: z.object({ ...ref, state: z.enum(['active', 'inactive']).optional() }),
      output: page(ResourceToken),
    }),
    get: operation({
      name: `identity.${kind}-access-tokens.get`,
      summary: `One access token of a ${kind}`,
      refusals: ['token.not_found'],
      http: get(`${path}/access_tokens/:token_id`),
      access: managed,
      input: z.object(one),
      output: ResourceToken,
    }),
    create: operation({
      name: `identity.${kind}-access-tokens.create`,
      summary: `Create an access token of a ${kind}`,
      description: `A bot user holds it, as a member of the ${kind} with the level given. The answer holds the token, this once.`,
      refusals: [aboveOwn],
      http: post(`${path}/access_tokens`),
      access: managed,
      input: z.object({
        ...ref,
        name: z.string().min(1).max(255),
        description: z.string().max(2000).nullish(),
        scopes: commaList(z.enum(tokenScopes).exclude(['sudo', 'read_user'])).min(1),
        expires_at: date.nullish(),
        access_level: z
          .int()
          .default(Access.Maintainer)
          .refine((given) => levels.some((known) => known === given), {
            error: 'does not have a valid value',
          }),
      }),
      output: NewResourceToken,
    }),
    revoke: operation({
      name: `identity.${kind}-access-tokens.revoke`,
      summary: `Revoke an access token of a ${kind}`,
      description: 'Its bot user is deleted, too.',
      refusals: ['token.not_found', aboveOwn],
      http: del(`${path}/access_tokens/:token_id`),
      access: managed,
      input: z.object(one),
      output: nothing(),
    }),
    rotate: operation({
      name: `identity.${kind}-access-tokens.rotate`,
      summary: `Replace an access token of a ${kind}`,
      description: `${replacement}${reused}`,
      refusals: ['token.not_found', aboveOwn],
      http: post(`${path}/access_tokens/:token_id/rotate`, { success: 200 }),
      access: managed,
      input: z.object({ ...one, expires_at: rotatedUntil }),
      output: NewResourceToken,
    }),
    rotateOwn: operation({
      name: `identity.${kind}-access-tokens.rotate-self`,
      summary: `Replace the token of a ${kind} that the request is made with`,
      description: replacement,
      refusals: ['common.bad_request when it was another credential', `token.not_found for no token of the ${kind}`],
      http: post(`${path}/access_tokens/self/rotate`, { success: 200 }),
      access: on(),
      input: z.object({ ...ref, expires_at: rotatedUntil }),
      output: NewResourceToken,
    }),
  };
}

export const {
  list: listProjectTokens,
  get: getProjectToken,
  create: createProjectToken,
  revoke: revokeProjectToken,
  rotate: rotateProjectToken,
  rotateOwn: rotateOwnProjectToken,
} = accessTokensOf(ofProjects, { level: Access.Maintainer, ability: 'manage_project_access_tokens' });

export const {
  list: listGroupTokens,
  get: getGroupToken,
  create: createGroupToken,
  revoke: revokeGroupToken,
  rotate: rotateGroupToken,
  rotateOwn: rotateOwnGroupToken,
} = accessTokensOf(ofGroups, { level: Access.Owner, ability: 'manage_group_access_tokens' });
