import type { UserSummary } from '@moothall/contracts';

/** A deleted user whose records are not assigned to the ghost user yet. */
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
