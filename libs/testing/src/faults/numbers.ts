import { setTimeout as wait } from 'node:timers/promises';
import type { Connection } from 'mongoose';

interface Counter {
  _id: string;
  value: number;
}

/** Commands of concurrent operations may still be running. */
const onTheWayMs = 20;

/** Counters within a parent, such as `merge_requests/project/7`; a process may reserve blocks of the others. */
const isOfSomething = ({ _id }: Counter): boolean => /\d$/.test(_id);

/**
 * A number that was reserved for a failed write is never used, and counts have a gap, which tests do not expect. This
 * class returns the number, so that a half-written record with it collides with the next try.
 */
export class Numbers {
  private taken: Counter[] = [];

  constructor(
    private readonly connection: Connection,
    private readonly database: string,
  ) {}

  private get counters() {
    return this.connection.getClient().db(this.database).collection<Counter>('counters');
  }

  private async read(): Promise<Counter[]> {
    return (await this.counters.find().toArray()).filter(isOfSomething);
  }

  async remember(): Promise<void> {
    this.taken = await this.read();
  }

  async giveBack(): Promise<void> {
    await wait(onTheWayMs);
    const before = new Map(this.taken.map(({ _id, value }) => [_id, value]));
    for (const { _id, value } of await this.read()) {
      const known = before.get(_id);
      if (known === undefined) await this.counters.deleteOne({ _id, value });
      else if (known < value) await this.counters.updateOne({ _id, value }, { $set: { value: known } });
    }
  }
}
