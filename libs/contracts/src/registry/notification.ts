import { z } from 'zod';
import { operation, post, tokenBearer } from '../operation';

/**
 * A notification of a registry. Loose, since a refused event would be repeated, and
 * block later ones. Source: distribution 2.8, "Work with notifications".
 */
export const RegistryEvent = z.looseObject({
  id: z.string().optional(),
  timestamp: z.string().optional(),
  action: z.string().optional().describe('`push`, `pull`, `mount` or `delete`'),
  target: z
    .looseObject({
      mediaType: z.string().optional(),
      digest: z.string().optional(),
      repository: z.string().optional(),
      tag: z.string().optional(),
    })
    .optional(),
  actor: z.looseObject({ name: z.string().optional().describe('Whom the token of the request was for') }).optional(),
});
export type RegistryEvent = z.infer<typeof RegistryEvent>;

export const takeRegistryEvents = operation({
  name: 'registry.events.take',
  onSecondary: 'here',
  summary: 'Report events of the image registry',
  description: 'For the registry itself, which is given the secret in its configuration.',
  refusals: ['common.unauthorized', 'container_registry.not_set_up'],
  http: post('/container_registry_event/events', { success: 200 }),
  access: tokenBearer(),
  input: z.object({
    secret: z
      .string()
      .optional()
      .meta({ header: 'Authorization', description: 'The secret, unless sent as the header Authorization' }),
    events: z.array(RegistryEvent).max(10_000).default([]).describe('What happened, oldest first'),
  }),
  output: z.object({ message: z.string() }),
});
