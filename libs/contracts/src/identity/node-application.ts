import { z } from 'zod';
import { id, internal, nothing, operation, text } from '../operation';

/*
 * OAuth applications of replication nodes: each has one at most, and signs in to the primary by it. See docs/api/geo.md#2.
 */

/** Creates the application of a node, or replaces its id and secret: the tokens of the former are revoked. */
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

/** The ones of some nodes with an application. */
export const nodesWithApplication = operation({
  name: 'identity.node-applications.list',
  access: internal(),
  isRead: true,
  input: z.object({ node_ids: z.array(id).max(1000) }),
  output: z.array(id),
});

/** The node of an application; null if it belongs to no node, or the secret is wrong. */
export const authenticateNode = operation({
  name: 'identity.node-applications.authenticate',
  access: internal(),
  isRead: true,
  input: z.object({ application_id: z.string(), secret: z.string() }),
  output: z.object({ node_id: id.nullable() }),
});
