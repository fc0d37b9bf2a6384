import { z } from 'zod';
import { event, id } from '../operation';

/** A hook or an integration was created or changed: caches of missing subscribers drop its project or group. */
export const subscriberChanged = event({
  name: 'integrations.subscriber.changed',
  data: z.object({
    kind: z.enum(['system', 'project', 'group']),
    parent_id: id.nullable().describe('The project or group; null for hooks of the instance'),
  }),
});
