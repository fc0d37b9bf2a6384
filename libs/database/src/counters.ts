import { batched } from '@moothall/background';
import { present } from '@moothall/contracts';
import { Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import type { Connection } from 'mongoose';

interface Request {
  name: string;
  count: number;
}

/** Source of public ids: one counter per collection, and per project or group for `iid`. */
@Injectable()
export class Counters {
  constructor(@InjectConnection() private readonly connection: Connection) {}

  /** The next number of that counter, from 1. Atomic; a number is never returned twice, even if it is not used. */
  async next(name: string): Promise<number> {
    return this.take(name, 1);
  }

  /** The first of `count` consecutive numbers. Calls of one turn are reserved together. */
  take(name: string, count: number): Promise<number> {
    return this.takeTogether({ name, count });
  }

  private readonly takeTogether = batched<Request, number>(async (requests) => {
    const sums = new Map<string, number>();
    for (const { name, count } of requests) sums.set(name, (sums.get(name) ?? 0) + count);
    const names = [...sums];
    const taken = await Promise.allSettled(names.map(([name, sum]) => this.advance(name, sum)));
    const outcomes = new Map(names.map(([name], at) => [name, present(taken[at], 'an outcome')]));
    return requests.map(({ name, count }) => {
      const outcome = present(outcomes.get(name), `a number of ${name}`);
      if (outcome.status === 'rejected') return asError(outcome.reason);
      const first = outcome.value;
      outcome.value += count;
      return first;
    });
  });

  private async advance(name: string, count: number): Promise<number> {
    const counter = await this.connection
      .collection<{ _id: string; value: number }>('counters')
      .findOneAndUpdate({ _id: name }, { $inc: { value: count } }, { upsert: true, returnDocument: 'after' });
    return present(counter, `the counter ${name}`).value - count + 1;
  }

  /** Reserves numbers up to `value`, for records that already have a number. */
  async atLeast(name: string, value: number): Promise<void> {
    await this.connection
      .collection<{ _id: string; value: number }>('counters')
      .updateOne({ _id: name }, { $max: { value } }, { upsert: true });
  }
}

const asError = (reason: unknown): Error => (reason instanceof Error ? reason : new Error(String(reason)));
