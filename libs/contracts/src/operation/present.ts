/** A value that must exist after earlier steps. @throws if it does not, which is a bug */
export function present<T>(value: T | null | undefined, what: string): T {
  if (value === null || value === undefined) throw new Error(`${what} is not there`);
  return value;
}
