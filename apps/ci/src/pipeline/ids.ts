import { batched } from '@moothall/background';
import { present } from '@moothall/contracts';
import { Counters } from '@moothall/database';
import { Injectable } from '@nestjs/common';

/** Of one command; thousands of schedules are due at once. */
const most = 200;

interface IdRequest {
  name: string;
  count: number;
}

/** Numbers from the counters; those asked for at the same time are taken together. */
@Injectable()
export class Ids {
  constructor(private readonly counters: Counters) {}

  /** The first of `count` consecutive numbers under that name. */
  take(name: string, count: number): Promise<number> {
    return this.takeTogether({ name, count });
  }

  private readonly takeTogether = batched<IdRequest, number>(
    async (requests) => {
      const sums = new Map<string, number>();
      for (const { name, count } of requests) sums.set(name, (sums.get(name) ?? 0) + count);
      const firsts = new Map(
        await Promise.all([...sums].map(async ([name, sum]) => [name, await this.counters.take(name, sum)] as const)),
      );
      return requests.map(({ name, count }) => {
        const first = present(firsts.get(name), `a number of ${name}`);
        firsts.set(name, first + count);
        return first;
      });
    },
    { most },
  );
}
