/** The only item of a list, for single reads that are answered in batches. @throws if there is none */
export function only<T>([item]: readonly T[]): T {
  if (item === undefined) throw new Error('the list is empty');
  return item;
}
