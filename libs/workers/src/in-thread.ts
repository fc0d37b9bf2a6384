import type { MessagePort } from 'node:worker_threads';

/** What a thread is given: the module whose default export does the work, its input, and where the thread says that it begins. */
export interface ThreadTask<I> {
  file: string;
  /** Undefined where the module is only loaded, to see that it can be. */
  work: { input: I } | undefined;
  begun: MessagePort;
}

/** What the function returned, or why its module could not be loaded. */
export type ThreadOutcome<O> = { result: O } | { loadFailure: string };

/** What every thread runs. It says when all that the work needs is loaded, for the time of the work counts from then on. */
export default async function workInThread({
  file,
  work,
  begun,
}: ThreadTask<unknown>): Promise<ThreadOutcome<unknown>> {
  let run: (input: unknown) => unknown;
  try {
    const loaded: { default?: typeof run } = require(file);
    run = loaded.default ?? (loaded as typeof run);
  } catch (error) {
    return { loadFailure: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
  begun.postMessage('begun');
  begun.close();
  return { result: work && (await run(work.input)) };
}
