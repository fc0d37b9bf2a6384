import type { UserSummary } from '@moothall/contracts';

/** Stands in for a user who is gone while what they wrote still waits to be moved to the ghost user. */
const goneUser = (id: number): UserSummary => ({
  id,
  username: 'ghost',
  name: 'Ghost User',
  state: 'active',
  avatar_url: null,
  web_url: '',
});

/** A user's summary out of a batch. */
export const summaryFrom = (users: ReadonlyMap<number, UserSummary>, id: number): UserSummary =>
  users.get(id) ?? goneUser(id);
