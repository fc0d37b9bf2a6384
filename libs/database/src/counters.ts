import { present } from '@moothall/contracts';
import { Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import type { Connection } from 'mongoose';

/** Source of public ids: one counter per collection, and per project or group for `iid`. */
@Injectable()
export class Counters {
  constructor(@InjectConnection() private readonly connection: Connection) {}

  /** The next number under that name, from 1. Atomic; a number is never given twice, also when it is not used. */
  async next(name: string): Promise<number> {
    return this.take(name, 1);
  }

  /** The first of `count` consecutive numbers. */
  async take(name: string, count: number): Promise<number> {
    const counter = await this.connection
      .collection<{ _id: string; value: number }>('counters')
      .findOneAndUpdate({ _id: name }, { $inc: { value: count } }, { upsert: true, returnDocument: 'after' });
    return present(counter, `the counter ${name}`).value - count + 1;
  }

  /** Numbers up to `value` are taken; for records that come with a number of their own. */
  async atLeast(name: string, value: number): Promise<void> {
    await this.connection
      .collection<{ _id: string; value: number }>('counters')
      .updateOne({ _id: name }, { $max: { value } }, { upsert: true });
  }
}
