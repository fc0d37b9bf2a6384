/** Resolves once `probe` gives something true; asks again after a pause. */
export async function until<T>(what: string, probe: () => Promise<T> | T, patienceMs = 60_000, pauseMs = 50) {
  const deadline = Date.now() + patienceMs;
  for (;;) {
    const found = await probe();
    if (found) return found as NonNullable<T>;
    if (Date.now() > deadline) throw new Error(`${what} did not come about within ${patienceMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}
