import { setTimeout as delay } from 'node:timers/promises';
import { commonErrors, isError } from '@moothall/contracts';

/** A writer that was refused waits so long. */
const pauseMs = 20;

/** What became of writes that were asked for while a replica went. */
export interface WritesUnderLoad<T> {
  /** Answers of successful writes. */
  acknowledged: T[];
  /** Numbers of writes without an answer: done or not, but not half and not twice. */
  unknown: number[];
}

export interface Load<T> {
  /** One write; `number` is one that no other write has. */
  write(number: number): Promise<T>;
  /** Removes a replica while the writes continue. */
  interrupt(): Promise<void>;
  /** At the same time. */
  writers?: number;
  /** Acknowledged before the interruption, and again after it. */
  each?: number;
}

/**
 * Writes, removes a replica in the middle, and continues until as much was acknowledged after it as before. A write may
 * only fail with 503, after which the caller does not know whether it was done.
 * @throws what a write fails with, if it is anything else
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
