import { z } from 'zod';
import { get, id, internal, nothing, operation, page, signedIn } from '../operation';

/** The place of a project: a group, or the namespace of a user. See docs/api/groups.md#1. */
export const Namespace = z.object({
  id,
  name: z.string(),
  path: z.string(),
  kind: z.enum(['group', 'user']),
  full_path: z.string(),
  parent_id: id.nullable(),
  avatar_url: z.string().nullable(),
  web_url: z.string(),
});
export type Namespace = z.infer<typeof Namespace>;

const NamespaceWithCount = Namespace.extend({
  /** Members of a group and everything below it; for its administrators. */
  members_count_with_descendants: z.int().optional(),
});
export type NamespaceWithCount = z.infer<typeof NamespaceWithCount>;

export const listNamespaces = operation({
  name: 'projects.namespaces.list',
  summary: 'Namespaces of the caller',
  description: 'The own one and the groups that the caller is a member of; all of them for administrators.',
  http: get('/namespaces'),
  access: signedIn(),
  input: z.object({ search: z.string().optional(), owned_only: z.boolean().default(false) }),
  output: page(NamespaceWithCount),
});

export const getNamespace = operation({
  name: 'projects.namespaces.get',
  summary: 'One namespace',
  http: get('/namespaces/:id'),
  access: signedIn(),
  input: z.object({ id: z.string().describe('Id or URL-encoded path of the namespace') }),
  output: NamespaceWithCount,
});

/** Nothing else is returned. See docs/api/groups.md#1. */
export const namespaceExists = operation({
  name: 'projects.namespaces.exists',
  summary: 'Whether a path is taken, and which one like it is free',
  description: 'The answer has nothing else.',
  http: get('/namespaces/:id/exists'),
  access: signedIn(),
  input: z.object({ id: z.string().describe('Path of the namespace'), parent_id: id.optional() }),
  output: z.object({ exists: z.boolean(), suggests: z.array(z.string()) }),
});

/**
 * Reserves a path for a user before the creation: user namespaces and top-level groups share one set of paths, so the
 * path comes first. The user's event confirms it; after a crash it is free again within minutes.
 */
export const claimUserPath = operation({
  name: 'projects.namespaces.claim-user-path',
  access: internal(),
  input: z.object({
    user_id: id,
    path: z.string(),
    former: z.string().optional().describe('Current path of a renamed user'),
  }),
  output: z.object({ is_claimed: z.boolean() }),
});

/** Releases the path of a user who was not created. */
export const releaseUserPath = operation({
  name: 'projects.namespaces.release-user-path',
  access: internal(),
  input: z.object({ user_id: id, path: z.string() }),
  output: nothing(),
});

/** Top-level groups whose only owner is that user. */
export const soleOwnedGroups = operation({
  name: 'projects.namespaces.sole-owned-groups',
  access: internal(),
  isRead: true,
  input: z.object({ user_id: id }),
  output: z.array(id),
});

/** The highest level that a user has anywhere; Access.None without any membership. */
export const highestRole = operation({
  name: 'projects.namespaces.highest-role',
  access: internal(),
  isRead: true,
  input: z.object({ user_id: id }),
  output: z.object({ access_level: z.int() }),
});

/** The ones of these users who own or are a direct member of any project, or of a group. At most 1,000. */
export const usersWithProjects = operation({
  name: 'projects.namespaces.users-with-projects',
  access: internal(),
  isRead: true,
  input: z.object({ user_ids: z.array(id).max(1000) }),
  output: z.array(id),
});
