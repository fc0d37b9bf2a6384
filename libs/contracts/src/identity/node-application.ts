import { z } from 'zod';
import { id, internal, nothing, operation, text } from '../operation';

/*
 * OAuth applications of replication nodes: each has one at most, and signs in to the primary by it. See docs/api/geo.md#2.
 */

/** Gives a node an application, or the one it has another id and secret: the tokens of the former are revoked. */
export const renewNodeApplication = operation({
  name: 'identity.node-applications.renew',
  access: internal(),
  input: z.object({ node_id: id, name: text, url: text.describe('Address of the node') }),
  output: z.object({ application_id: z.string(), secret: z.string() }),
});

/** Safe to repeat. */
export const removeNodeApplication = operation({
  name: 'identity.node-applications.remove',
  access: internal(),
  input: z.object({ node_id: id }),
  output: nothing(),
});

/** Those of some nodes that have an application. */
export const nodesWithApplication = operation({
  name: 'identity.node-applications.list',
  access: internal(),
  isRead: true,
  input: z.object({ node_ids: z.array(id).max(1000) }),
  output: z.array(id),
});

/** Whose application it is; null where it is no node's, or the secret is another. */
export const authenticateNode = operation({
  name: 'identity.node-applications.authenticate',
  access: internal(),
  isRead: true,
  input: z.object({ application_id: z.string(), secret: z.string() }),
  output: z.object({ node_id: id.nullable() }),
});
