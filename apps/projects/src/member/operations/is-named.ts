import type { UserRecord } from '@moothall/users';

/** Whether somebody is meant by part of a name, or by the public address. */
export function isNamed({ username, name, public_email }: UserRecord, query: string): boolean {
  const wanted = query.toLowerCase();
  return [username, name].some((text) => text.toLowerCase().includes(wanted)) || public_email === query;
}
