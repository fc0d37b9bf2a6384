import { z } from 'zod';
import { errors, event, id, internal, operation, past, time } from '../operation';

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

/** A user came to be. The projects service gives it a namespace of that path. */
export const userCreated = event({
  name: 'identity.user.created',
  data: z.object({ user_id: id, username: past(z.string()), name: past(z.string()) }),
});

/** A user was created, renamed, blocked, unblocked or changed otherwise: whoever keeps a copy drops it. */
export const userChanged = event({
  name: 'identity.user.changed',
  data: z.object({ user_id: id, username: past(z.string()), state: past(z.string()) }),
});

/** A user is gone. `hard_delete` takes the contributions along; else they go to the ghost user. */
export const userDeleted = event({
  name: 'identity.user.deleted',
  data: z.object({ user_id: id, username: z.string(), hard_delete: z.boolean(), ghost_user_id: id }),
});

/** A mail with a link is to go to a user: said with the change that it is about, so that neither is there alone. */
export const accountMailWanted = event({
  name: 'identity.account-mail.wanted',
  data: z.object({ user_id: id, purpose: z.enum(['reset_password', 'confirm_email']), email: z.string() }),
});

/** Summaries by id for views of other services; unknown ids are left out. At most 1,000 ids. */
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

/** Ids of users by username (case-insensitive); unknown names are left out. */
export const userIdsByUsername = operation({
  name: 'identity.users.ids-by-username',
  access: internal(),
  isRead: true,
  input: z.object({ usernames: z.array(z.string()).max(1000) }),
  output: z.array(z.object({ id, username: z.string() })),
});
