/** Some fields of a record; an undefined one counts as missing. */
export type Given<T> = { [K in keyof T]?: T[K] | undefined };

/** The given fields. */
export const onlyGiven = <T extends object>(fields: Given<T>): Partial<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<T>;
