/** What a job has of what the file gives to all. @param which all, none, or those named */
export function inheritedOf<T extends object>(given: T, which: boolean | string[]): Partial<T> {
  if (typeof which === 'boolean') return which ? given : {};
  return Object.fromEntries(Object.entries(given).filter(([name]) => which.includes(name))) as Partial<T>;
}
