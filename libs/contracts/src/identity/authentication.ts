import { z } from 'zod';
import { errors, event, id, internal, nodeScope, operation, packageScopes, scopes } from '../operation';

export const authenticationErrors = errors('authentication', {
  revoked: {
    status: 401,
    key: 'error',
    message: 'invalid_token',
    means: 'Token was revoked. You have to re-authorize from the user.',
  },
  expired: {
    status: 401,
    key: 'error',
    message: 'invalid_token',
    means: 'Token is expired. You can either do re-authorization or token refresh.',
  },
  impersonationDisabled: {
    status: 401,
    key: 'error',
    message: 'invalid_token',
    means: 'Token is an impersonation token but impersonation was disabled.',
  },
  insufficientScope: {
    status: 403,
    key: 'error',
    message: 'insufficient_scope',
    means: 'The request requires higher privileges than provided by the access token.',
  },
  blocked: {
    status: 403,
    message: '403 Forbidden - Your account has been blocked.',
    means: 'The user may not act.',
  },
});

/** The caller, between services and sites. */
export const callerSchema = z.object({
  id: z.int(),
  username: z.string(),
  name: z.string(),
  email: z.string(),
  isAdmin: z.boolean(),
  isExternal: z.boolean(),
  credential: z.enum([
    'personal_access_token',
    'oauth_token',
    'password',
    'session',
    'deploy_key',
    'ssh_key',
    'job_token',
    'deploy_token',
    'geo_node',
  ]),
  tokenId: id.optional(),
  scopes: z.array(z.enum([...scopes, ...packageScopes, nodeScope])),
  projectId: id.optional(),
  opens: z.object({ kind: z.enum(['project', 'group']), id }).optional(),
});

/**
 * The bearer of a token. The token itself is not sent: callers send its SHA-256 as 64 hex digits.
 * @throws common.unauthorized when unknown; authentication.* when revoked, expired or of a blocked user
 */
export const authenticateToken = operation({
  name: 'identity.authentication.token',
  access: internal(),
  isRead: true,
  input: z.object({ token_sha256: z.string().length(64) }),
  output: z.object({ caller: callerSchema, expires_at: z.string().nullable() }),
});

/**
 * The caller with a user name and password, for git over HTTP. The password may also be a token, a deploy token with
 * its own user name, and, with the user name of job tokens, the token of a running job. A replication node signs in
 * with id and secret of its application.
 * @throws common.unauthorized; authentication.blocked
 */
export const authenticateBasic = operation({
  name: 'identity.authentication.basic',
  access: internal(),
  input: z.object({ username: z.string(), password: z.string(), ip: z.string().optional() }),
  output: z.object({ caller: callerSchema, expires_at: z.string().nullable() }),
});

/**
 * The owner of a deploy token that was sent without its user name.
 * @throws common.unauthorized if unknown; authentication.* if revoked or expired
 */
export const authenticateDeployToken = operation({
  name: 'identity.authentication.deploy-token',
  access: internal(),
  isRead: true,
  input: z.object({ token_sha256: z.string().length(64) }),
  output: z.object({ caller: callerSchema, expires_at: z.string().nullable() }),
});

/** Sudo: the caller that an administrator acts as, by id or username. @throws user.not_found */
export const impersonate = operation({
  name: 'identity.authentication.sudo',
  access: internal(),
  isRead: true,
  input: z.object({ user: z.string() }),
  output: z.object({ caller: callerSchema }),
});

/**
 * The caller of an SSH connection, by the fingerprint of the key: a user, or a deploy key with its projects.
 * @throws common.unauthorized for keys that are unknown or have expired; authentication.blocked
 */
export const authenticateSshKey = operation({
  name: 'identity.authentication.ssh-key',
  access: internal(),
  isRead: true,
  input: z.object({ fingerprint_sha256: z.string().describe('SHA256:… as OpenSSH writes it') }),
  output: z.object({
    caller: callerSchema.nullable(),
    deploy_key: z
      .object({ id, title: z.string(), projects: z.array(z.object({ project_id: id, can_push: z.boolean() })) })
      .nullable(),
  }),
});

/** A token was revoked or rotated: caches drop it. */
export const tokenRevoked = event({
  name: 'identity.token.revoked',
  data: z.object({ token_sha256: z.string(), user_id: id.nullable() }),
});

/** Creates the first administrator if there is none. Password and token are returned once, on creation. */
export const ensureAdministrator = operation({
  name: 'identity.administrator.ensure',
  access: internal(),
  input: z.object({ username: z.string(), email: z.string(), password: z.string(), token: z.string() }),
  output: z.object({ username: z.string(), created: z.boolean() }),
});
