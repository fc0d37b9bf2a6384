import { unattended } from '@moothall/logging';

/**
 * Collects the items of one turn of the event loop and passes them on at its end, so that one write or command serves
 * all callers. A caller waits for the turn, or for `forMs` if it is given.
 */
export class TurnBatcher<Item> {
  private items: Item[] = [];

  constructor(
    private readonly work: (items: Item[]) => void,
    private readonly forMs?: number,
  ) {}

  add(item: Item): void {
    this.items.push(item);
    if (this.items.length === 1) this.endLater();
  }

  private endLater(): void {
    if (this.forMs === undefined) setImmediate(() => this.end());
    else setTimeout(() => this.end(), this.forMs);
  }

  private end(): void {
    const items = this.items;
    this.items = [];
    this.work(items);
  }
}

interface Call<Item, Result> {
  item: Item;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

/**
 * Turns single calls into batches: the calls of one turn of the event loop form one batch.
 * @param run returns the results in the order of the items; an Error among them rejects that item only, and an error
 * that it throws rejects the whole batch
 * @param most limits the size of a batch, and batches then run one after the other: calls during a batch form the
 * next one
 * @param forMs collects calls for this time instead of one turn
 */
export function batched<Item, Result>(
  run: (items: Item[]) => Promise<readonly (Result | Error)[]>,
  { most, forMs }: { most?: number; forMs?: number } = {},
): (item: Item) => Promise<Result> {
  const settle = (calls: Call<Item, Result>[]) => settleAll(run, calls);
  const turn = new TurnBatcher<Call<Item, Result>>(most === undefined ? settle : oneAfterTheOther(settle, most), forMs);
  return (item) => new Promise((resolve, reject) => turn.add({ item, resolve, reject }));
}

/** Never rejects: each call has its outcome. */
async function settleAll<Item, Result>(
  run: (items: Item[]) => Promise<readonly (Result | Error)[]>,
  calls: Call<Item, Result>[],
): Promise<void> {
  try {
    const results = await run(calls.map(({ item }) => item));
    for (const [at, { resolve, reject }] of calls.entries()) {
      const result = results[at] as Result | Error;
      if (result instanceof Error) reject(result);
      else resolve(result);
    }
  } catch (error) {
    for (const { reject } of calls) reject(error);
  }
}

function oneAfterTheOther<C>(settle: (calls: C[]) => Promise<void>, most: number): (calls: C[]) => void {
  const waiting: C[] = [];
  let isRunning = false;
  const drain = async () => {
    isRunning = true;
    while (waiting.length > 0) await settle(waiting.splice(0, most));
    isRunning = false;
  };
  return (calls) => {
    for (const call of calls) waiting.push(call);
    if (!isRunning) unattended('a batch', drain());
  };
}
