/** Asks until the answer is a yes, for what follows from events. @throws after 15 s */
export async function until<T>(probe: () => Promise<T | false | undefined>): Promise<T> {
  const deadline = Date.now() + 15_000;
  for (;;) {
    const found = await probe();
    if (found) return found;
    if (Date.now() > deadline) throw new Error('the state did not come about');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
