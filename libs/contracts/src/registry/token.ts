import { z } from 'zod';
import { anyone, get, operation, raw } from '../operation';

/** The name of the registry for its clients, and the audience of its tokens. */
export const registryAudience = 'container_registry';

const given = z.string().optional();

/**
 * The token endpoint of a registry. It reads credentials itself, and its refusals have the form of the registry's.
 * Source: Docker Registry v2 authentication, "Token Authentication Specification". See docs/api/registry.md#8.
 */
export const issueRegistryToken = operation({
  name: 'registry.tokens.issue',
  summary: 'A token for a registry of images',
  description:
    'For docker, skopeo and other image clients. They sign in by HTTP Basic with a password or token, or not at all for public images. The token has the allowed part of the requested scopes and is valid for five minutes.',
  http: get('/jwt/auth', { atRoot: true }),
  access: anyone(),
  input: z.object({
    service: given.describe('`container_registry`'),
    scope: z
      .union([z.string(), z.array(z.string())])
      .optional()
      .describe('`repository:<name>:pull,push,delete`; several times, or joined by blanks'),
    account: given.describe('User name of the credential; not looked at'),
    client_id: given.describe('Which program asks; not looked at'),
    offline_token: given.describe('Whether a refresh token is wanted; none is given'),
  }),
  output: raw('application/json'),
});
