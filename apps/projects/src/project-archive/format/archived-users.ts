import { archivedUserFields } from '@moothall/contracts';

const fields: ReadonlySet<string> = new Set(archivedUserFields);

/** Ids of all users that a record names, at any depth. */
export function* usersIn(value: unknown): Generator<number> {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    if (fields.has(name)) yield* [inner].flat().filter((id) => id !== null) as number[];
    else yield* usersIn(inner);
  }
}

/**
 * The record with the ids of known users. Unknown authors become the importer, other unknown single users null, and in
 * lists their entries are left out.
 * @param idOf undefined for unknown users
 */
export function withUsers<T>(record: T, idOf: (archived: number) => number | undefined, importer: number): T {
  return replaced(record) as T;

  function replaced(value: unknown): unknown {
    if (Array.isArray(value)) return value.filter((item) => !isOfNobody(item)).map(replaced);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [name, fields.has(name) ? usersOf(name, inner) : replaced(inner)]),
    );
  }
  function usersOf(name: string, inner: unknown): unknown {
    if (Array.isArray(inner)) return [...new Set(inner.flatMap((id) => idOf(id) ?? []))];
    const known = typeof inner === 'number' ? idOf(inner) : undefined;
    return known ?? (name === 'author_id' || name === 'user_id' ? importer : null);
  }
  function isOfNobody(item: unknown): boolean {
    if (typeof item !== 'object' || item === null || !('user_id' in item)) return false;
    return idOf(item.user_id as number) === undefined;
  }
}
