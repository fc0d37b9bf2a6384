import type { UserRecord } from '@moothall/users';

/** Whether a user matches a part of a name, or the public email address. */
export function isNamed({ username, name, public_email }: UserRecord, query: string): boolean {
  const wanted = query.toLowerCase();
  return [username, name].some((text) => text.toLowerCase().includes(wanted)) || public_email === query;
}
