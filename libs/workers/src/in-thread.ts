import type { MessagePort } from 'node:worker_threads';

/**
 * A task: the module whose default export does the work, its input, and the port on which the thread reports its
 * start.
 */
export interface ThreadTask<I> {
  file: string;
  /** Undefined to test only that the module can be loaded. */
  work: { input: I } | undefined;
  begun: MessagePort;
}

/** The result of the function, or the reason why its module could not be loaded. */
export type ThreadOutcome<O> = { result: O } | { loadFailure: string };

/** Every thread runs this. It reports when the module is loaded, because the time limit of the work starts then. */
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
