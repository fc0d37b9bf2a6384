/**
 * Whether a filter requires a field to have one of no values, as filters by a missing name do, or one of several such
 * conditions. Then no query is needed; the database might even scan a collection.
 */
export function matchesNothing(filter: object): boolean {
  return Object.entries(filter).some(([field, condition]) => {
    if (field === '$and') return (condition as object[]).some(matchesNothing);
    if (field === '$or') return (condition as object[]).every(matchesNothing);
    const values: unknown = (condition as { $in?: unknown } | null | undefined)?.$in;
    return Array.isArray(values) && values.length === 0;
  });
}
