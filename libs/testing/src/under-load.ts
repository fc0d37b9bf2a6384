import { setTimeout as delay } from 'node:timers/promises';
import { commonErrors, isError } from '@moothall/contracts';

/** Pause of a writer after a refusal. */
const pauseMs = 20;

/** The results of writes during the loss of a replica. */
export interface WritesUnderLoad<T> {
  /** Answers of successful writes. */
  acknowledged: T[];
  /** Numbers of writes without an answer: done or not, but neither half nor twice. */
  unknown: number[];
}

export interface Load<T> {
  /** One write; `number` is one that no other write has. */
  write(number: number): Promise<T>;
  /** Removes a replica while the writes continue. */
  interrupt(): Promise<void>;
  /** Concurrent writers. */
  writers?: number;
  /** Acknowledged before the interruption, and again after it. */
  each?: number;
}

/**
 * Writes, removes a replica meanwhile, and continues until as many writes were acknowledged after it as before. A
 * write may only fail with 503, after which it is unknown whether it was done.
 * @throws any other failure of a write
 */
export async function writeUnderLoad<T>({ write, interrupt, writers = 8, each = 100 }: Load<T>) {
  const outcome: WritesUnderLoad<T> = { acknowledged: [], unknown: [] };
  const { acknowledged, unknown } = outcome;
  let wanted = each;
  let last = 0;
  let hasFailed = false;
  const writeOne = async (number: number) => {
    try {
      acknowledged.push(await write(number));
    } catch (error) {
      hasFailed ||= !isError(error, commonErrors.unavailable);
      if (hasFailed) throw error;
      unknown.push(number);
      await delay(pauseMs);
    }
  };
  const round = () =>
    Promise.all(
      Array.from({ length: writers }, async () => {
        while (acknowledged.length < wanted && !hasFailed) await writeOne(++last);
      }),
    );
  await round();
  wanted += each;
  const rest = round();
  await Promise.all([rest, interrupt()]);
  wanted = acknowledged.length + each;
  await round();
  return outcome;
}
