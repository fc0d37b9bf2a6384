import { unattended } from '@moothall/logging';

/**
 * Hands over what came in during one turn of the event loop, at its end: one write or one command then does for all,
 * for all callers. A caller waits for the turn, or for `forMs` if it is given.
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
 * Turns calls made one by one into batches: those of one turn of the event loop are one.
 * @param run returns the results in the order of the items; an Error among them rejects that item only, and what it throws rejects
 *   all of the batch
 * @param most where it is given, one batch goes after the other, each of so many items at most: what comes in while one
 *   is under way makes up the next
 * @param forMs for what comes in bursts: a batch is what came in during so many milliseconds, not during one turn
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
