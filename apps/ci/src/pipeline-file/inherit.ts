/** The inherited part of the defaults of a file. @param which all, none, or the named ones */
export function inheritedOf<T extends object>(given: T, which: boolean | string[]): Partial<T> {
  if (typeof which === 'boolean') return which ? given : {};
  return Object.fromEntries(Object.entries(given).filter(([name]) => which.includes(name))) as Partial<T>;
}
