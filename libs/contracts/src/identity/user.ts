import { z } from 'zod';
import { errors, event, id, internal, operation, snapshotField, time } from '../operation';

/** How a user is shown inside other records. See docs/api/users.md#1. */
export const UserSummary = z.object({
  id,
  username: z.string(),
  name: z.string(),
  state: z.string(),
  avatar_url: z.string().nullable(),
  web_url: z.string(),
});
export type UserSummary = z.infer<typeof UserSummary>;

export const userErrors = errors('user', {
  notFound: { status: 404, message: '404 User Not Found', means: 'No such user.' },
});

/** A user was created. The projects service creates its namespace with that path. */
export const userCreated = event({
  name: 'identity.user.created',
  data: z.object({
    user_id: id,
    username: snapshotField(z.string()),
    name: snapshotField(z.string()),
    email: snapshotField(z.string()).optional(),
  }),
});

/** A user was created, renamed, blocked, unblocked or changed otherwise: caches drop it. */
export const userChanged = event({
  name: 'identity.user.changed',
  data: z.object({
    user_id: id,
    username: snapshotField(z.string()),
    name: snapshotField(z.string()).optional(),
    email: snapshotField(z.string()).optional(),
    state: snapshotField(z.string()),
    before: z
      .object({ username: z.string(), name: z.string(), email: z.string(), state: z.string() })
      .partial()
      .optional()
      .describe('The old values of the changed fields'),
  }),
});

/** A user was deleted. `hard_delete` also deletes their contributions; otherwise the ghost user gets them. */
export const userDeleted = event({
  name: 'identity.user.deleted',
  data: z.object({
    user_id: id,
    username: z.string(),
    name: z.string().optional(),
    email: z.string().optional(),
    hard_delete: z.boolean(),
    ghost_user_id: id,
  }),
});

/** A blocked user tried to sign in with the right password. */
export const signInRefused = event({
  name: 'identity.sign-in.refused',
  data: z.object({ user_id: id, username: z.string(), name: z.string(), email: z.string(), state: z.string() }),
});

/** An SSH key, of a user or for deployment, was added or removed. */
export const keyChanged = event({
  name: 'identity.key.changed',
  data: z.object({
    action: z.enum(['create', 'destroy']),
    key_id: id,
    kind: z.enum(['user', 'deploy']),
    user_id: id.describe('The owner of the key; for deploy keys, the user who added it'),
    title: z.string(),
    key: z.string().describe('In the format of OpenSSH'),
  }),
});

/** A mail with a link must be sent to a user. It is stored with the change that causes it, so neither exists alone. */
export const accountMailWanted = event({
  name: 'identity.account-mail.wanted',
  data: z.object({ user_id: id, purpose: z.enum(['reset_password', 'confirm_email']), email: z.string() }),
});

/** Summaries by id for views of other services; unknown ids are omitted. At most 1,000 ids. */
export const userSummaries = operation({
  name: 'identity.users.summaries',
  access: internal(),
  isRead: true,
  input: z.object({ ids: z.array(id).max(1000) }),
  output: z.array(
    UserSummary.extend({
      created_at: time,
      email: z.string(),
      public_email: z.string().nullable(),
      is_admin: z.boolean(),
      is_external: z.boolean(),
      can_create_group: z.boolean(),
      projects_limit: z.int(),
    }),
  ),
});

/** The last activity of users, and whether they are people; unknown ids are omitted. At most 1,000 ids. */
export const userActivities = operation({
  name: 'identity.users.activities',
  access: internal(),
  isRead: true,
  input: z.object({ ids: z.array(id).max(1000) }),
  output: z.array(
    z.object({ id, is_bot: z.boolean(), last_activity_on: z.string().nullable(), last_sign_in_at: time.nullable() }),
  ),
});

/** Ids of users by username (case-insensitive); unknown names are omitted. */
export const userIdsByUsername = operation({
  name: 'identity.users.ids-by-username',
  access: internal(),
  isRead: true,
  input: z.object({ usernames: z.array(z.string()).max(1000) }),
  output: z.array(z.object({ id, username: z.string() })),
});

/** Active users by confirmed addresses. Addresses are lower-cased. */
export const usersByConfirmedEmail = operation({
  name: 'identity.users.by-confirmed-email',
  access: internal(),
  isRead: true,
  input: z.object({ emails: z.array(z.string()).max(1000) }),
  output: z.array(z.object({ email: z.string(), user_id: id })),
});
