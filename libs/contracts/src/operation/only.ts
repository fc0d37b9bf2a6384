/** The item of a list of one: what is asked for one by one and answered as many are. @throws when there is none */
export function only<T>([item]: readonly T[]): T {
  if (item === undefined) throw new Error('the list is empty');
  return item;
}
