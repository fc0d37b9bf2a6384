/** Resolves once `probe` returns a truthy value; retries after a pause. */
export async function until<T>(what: string, probe: () => Promise<T> | T, patienceMs = 60_000, pauseMs = 50) {
  const deadline = Date.now() + patienceMs;
  for (;;) {
    const found = await probe();
    if (found) return found as NonNullable<T>;
    if (Date.now() > deadline) throw new Error(`${what} did not come about within ${patienceMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

/** The one gateway of `npm test` knows a change of access at once; a second one (`test:slow -- replicas`) learns it from an event. */
export async function untilGatewaysKnow(what: string, probe: () => Promise<boolean>): Promise<void> {
  if (process.env.E2E_REPLICAS !== undefined) await until(what, probe, 10_000);
  else if (!(await probe())) throw new Error(`${what} did not come about at once`);
}
