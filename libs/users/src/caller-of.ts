import type { Caller } from '@moothall/contracts';
import type { UserRecord } from './user-directory';

/** A user as the caller, for calls that a service makes on their behalf. */
export const callerOf = (user: UserRecord): Caller => ({
  id: user.id,
  username: user.username,
  name: user.name,
  email: user.email,
  isAdmin: user.is_admin,
  isExternal: user.is_external,
  credential: 'session',
  scopes: ['api'],
});
