/**
 * Whether a filter asks for a field to be one of no values, as filters by a name that does not exist become, or for one of
 * several such conditions. No query is needed then; the database might even read a whole collection.
 */
export function matchesNothing(filter: object): boolean {
  return Object.entries(filter).some(([field, condition]) => {
    if (field === '$and') return (condition as object[]).some(matchesNothing);
    if (field === '$or') return (condition as object[]).every(matchesNothing);
    const values: unknown = (condition as { $in?: unknown } | null | undefined)?.$in;
    return Array.isArray(values) && values.length === 0;
  });
}
