import type { MessagePort } from 'node:worker_threads';

/** What a thread is given: whose default export works on what, and where it says that it begins. */
export interface ThreadTask<I> {
  file: string;
  input: I;
  begun: MessagePort;
}

/** What every thread runs: it tells when all that the work needs is loaded, for its time counts from then on. */
export default function workInThread({ file, input, begun }: ThreadTask<unknown>): unknown {
  const loaded: { default?: (input: unknown) => unknown } = require(file);
  const work = loaded.default ?? (loaded as (input: unknown) => unknown);
  begun.postMessage('begun');
  begun.close();
  return work(input);
}
