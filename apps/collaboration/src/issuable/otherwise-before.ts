import { isDeepStrictEqual } from 'node:util';

/** Fields before a change whose value differs after it. */
export function otherwiseBefore<T extends object>(before: T, after: T): Partial<T> {
  const fields = Object.keys(before) as (keyof T & string)[];
  const others = fields.filter((field) => !isDeepStrictEqual(before[field], after[field]));
  return Object.fromEntries(others.map((field) => [field, before[field]])) as Partial<T>;
}
