import { unattended } from '@moothall/logging';
/**
 * Turns calls made one by one into batches: what comes in while a batch is under way makes up the next one. A single
 * call does not wait; a thousand at once cost a few round trips instead of a thousand.
 * @param run answers in the order of its items; an Error among the answers fails that item alone
 * @param most items of a batch
 */
export function gather<I, O>(run: (items: I[]) => Promise<(O | Error)[]>, most = 200): (item: I) => Promise<O> {
  const waiting: { item: I; resolve: (answer: O) => void; reject: (error: unknown) => void }[] = [];
  let isRunning = false;

  const work = async (): Promise<void> => {
    isRunning = true;
    while (waiting.length > 0) {
      const batch = waiting.splice(0, most);
      try {
        const answers = await run(batch.map(({ item }) => item));
        batch.forEach(({ resolve, reject }, index) => {
          const answer = answers[index]!;
          if (answer instanceof Error) reject(answer);
          else resolve(answer);
        });
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    isRunning = false;
  };

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      // Whoever calls in the same turn of the event loop still gets into the first batch.
      if (!isRunning) {
        isRunning = true;
        setImmediate(() => unattended('a batch', work()));
      }
    });
}
