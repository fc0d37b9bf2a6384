/** What has to be there by what was done before. @throws when it is not, which is a fault of this program */
export function present<T>(value: T | null | undefined, what: string): T {
  if (value === null || value === undefined) throw new Error(`${what} is not there`);
  return value;
}
