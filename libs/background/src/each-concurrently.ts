/**
 * Does the work for each item, so many of them at a time. Where one fails no other is begun, and those under way end first.
 * @throws what the first one failed with
 */
export async function eachConcurrently<T>(
  items: Iterable<T>,
  atOnce: number,
  work: (item: T) => Promise<unknown>,
): Promise<void> {
  const failures: unknown[] = [];
  const waiting = items[Symbol.iterator]();
  const worker = async () => {
    while (failures.length === 0) {
      const next = waiting.next();
      if (next.done) return;
      await work(next.value).catch((error: unknown) => failures.push(error));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  if (failures.length > 0) throw failures[0];
}
