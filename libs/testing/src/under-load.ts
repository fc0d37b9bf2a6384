import { setTimeout as delay } from 'node:timers/promises';
import { commonErrors, isError } from '@moothall/contracts';

/** A writer that was refused waits so long. */
const pauseMs = 20;

/** What became of writes that were asked for while a replica went. */
export interface WritesUnderLoad<T> {
  /** Answers to what was told as done. */
  acknowledged: T[];
  /** Numbers of those that nobody was told of: done or not, but not half and not twice. */
  unknown: number[];
}

export interface Load<T> {
  /** One write; `number` is one that no other write has. */
  write(number: number): Promise<T>;
  /** Takes a replica away, while the writes go on. */
  interrupt(): Promise<void>;
  /** At the same time. */
  writers?: number;
  /** Acknowledged before the interruption, and again after it. */
  each?: number;
}

/**
 * Writes, takes a replica away in the middle, and goes on until as much was acknowledged after it as before. A write may
 * only fail as 503, which tells the caller that it may have been done or not.
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
