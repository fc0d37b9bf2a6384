import { setTimeout as wait } from 'node:timers/promises';
import type { Connection } from 'mongoose';

interface Counter {
  _id: string;
  value: number;
}

/** What an operation asked for at the same time as what failed may still be on its way. */
const onTheWayMs = 20;

/** Numbers that count within something, as `merge_requests/project/7` does; the others a process may take in blocks. */
const isOfSomething = ({ _id }: Counter): boolean => /\d$/.test(_id);

/**
 * A number that was taken for what then failed is never used: counts have a gap there, which tests do not expect. Here
 * the number is given back, so that a record that is half there with it collides with the next try.
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
