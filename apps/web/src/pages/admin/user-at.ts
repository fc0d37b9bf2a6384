import { commonErrors, type createUser, getUser, listUsers, type OutputOf } from '@moothall/contracts';
import type { RouteAddress } from '../../page/page';
import type { Visit } from '../../visit/visits';

/** A user as administrators see them. */
export type AdminUser = OutputOf<typeof createUser>;

/** The path of the page of a user for administrators. */
export const userPath = (username: string): string => `/admin/users/${encodeURIComponent(username)}`;

/** The user of an address. @throws common.not_found, also for callers who are no administrators */
export async function userAt(visit: Visit, { params }: RouteAddress): Promise<AdminUser> {
  const { items } = await visit.ask(listUsers, { username: params.username ?? '', per_page: 1 });
  const user = items[0] && (await visit.ask(getUser, { id: items[0].id }));
  if (!user || !('sign_in_count' in user)) throw commonErrors.notFound();
  return user;
}
