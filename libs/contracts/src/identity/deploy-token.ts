import { z } from 'zod';
import {
  Access,
  administrator,
  commaList,
  date,
  del,
  deployTokenScopes,
  errors,
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
  time,
  timestamp,
} from '../operation';

export const deployTokenErrors = errors('deploy_token', {
  notFound: { status: 404, message: '404 DeployToken Not Found', means: 'No such deploy token here.' },
});

/** A token of a project or group without a user. See docs/api/tokens.md#5. */
export const DeployToken = z.object({
  id,
  name: z.string(),
  username: z.string(),
  expires_at: time.nullable(),
  revoked: z.boolean(),
  expired: z.boolean(),
  scopes: z.array(z.enum(deployTokenScopes)),
});
export type DeployToken = z.infer<typeof DeployToken>;
const NewDeployToken = DeployToken.extend({ token: z.string() });

const filter = { active: z.boolean().optional().describe('Only those that are neither revoked nor expired') };

export const listDeployTokens = operation({
  name: 'identity.deploy-tokens.list-all',
  summary: 'Deploy tokens of the instance, oldest first',
  http: get('/deploy_tokens'),
  access: administrator(),
  input: z.object(filter),
  output: page(DeployToken),
});

function deployTokensOf<R extends ParentRule>({ kind, path, ref, on }: Parent<R>) {
  const maintained = on({ level: Access.Maintainer, ability: 'manage_deploy_tokens' });
  const one = { ...ref, token_id: id };
  return {
    list: operation({
      name: `identity.${kind}-deploy-tokens.list`,
      summary: `Deploy tokens of a ${kind}`,
      http: get(`${path}/deploy_tokens`),
      access: maintained,
      input: z.object({ ...ref, ...filter }),
      output: page(DeployToken),
    }),
    get: operation({
      name: `identity.${kind}-deploy-tokens.get`,
      summary: `One deploy token of a ${kind}`,
      refusals: ['deploy_token.not_found'],
      http: get(`${path}/deploy_tokens/:token_id`),
      access: maintained,
      input: z.object(one),
      output: DeployToken,
    }),
    create: operation({
      name: `identity.${kind}-deploy-tokens.create`,
      summary: `Create a deploy token of a ${kind}`,
      description: 'The answer holds the token, this once.',
      refusals: ['common.invalid_record for times that are over'],
      http: post(`${path}/deploy_tokens`),
      access: maintained,
      input: z.object({
        ...ref,
        name: z.string().min(1).max(255),
        scopes: commaList(z.enum(deployTokenScopes)).min(1),
        expires_at: z.union([date, timestamp]).nullish().describe('Never, unless given'),
        username: z
          .string()
          .max(255)
          .regex(/^[a-zA-Z0-9][a-zA-Z0-9_.+-]*$/, "can contain only letters, digits, '_', '-', '+', and '.'")
          .nullish()
          .describe('`gitlab+deploy-token-` with a number, unless given'),
      }),
      output: NewDeployToken,
    }),
    revoke: operation({
      name: `identity.${kind}-deploy-tokens.revoke`,
      summary: `Revoke a deploy token of a ${kind}`,
      refusals: ['deploy_token.not_found'],
      http: del(`${path}/deploy_tokens/:token_id`),
      access: maintained,
      input: z.object(one),
      output: nothing(),
    }),
  };
}

export const {
  list: listProjectDeployTokens,
  get: getProjectDeployToken,
  create: createProjectDeployToken,
  revoke: revokeProjectDeployToken,
} = deployTokensOf(ofProjects);

export const {
  list: listGroupDeployTokens,
  get: getGroupDeployToken,
  create: createGroupDeployToken,
  revoke: revokeGroupDeployToken,
} = deployTokensOf(ofGroups);
