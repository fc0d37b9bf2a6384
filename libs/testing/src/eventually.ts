/** Resolves when `probe` returns a true value; calls it repeatedly, and fails by default after a minute. */
export async function eventually<T>(
  probe: () => Promise<T> | T,
  what = 'the state',
  waitMs = 60_000,
): Promise<NonNullable<T>> {
  const deadline = Date.now() + waitMs;
  for (;;) {
    const found = await probe();
    if (found) return found as NonNullable<T>;
    if (Date.now() > deadline) throw new Error(`${what} did not come about within ${waitMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
