import { unattended } from '@moothall/logging';

interface Waiting<Item, Result> {
  item: Item;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

/**
 * Gathers what is asked for in one turn of the event loop and does it in one go, whoever asks: under load a service then
 * has one command on its way to the database where it had one for each request. Nobody waits longer than the turn.
 */
export class OneTurn<Item, Result> {
  private waiting: Waiting<Item, Result>[] = [];

  /**
   * @param work answers each item in its place; an Error there is thrown to who asked for that item, and what it throws
   *   to all who asked in this turn
   */
  constructor(private readonly work: (items: Item[]) => Promise<readonly (Result | Error)[]>) {}

  do(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      if (this.waiting.length === 0) setImmediate(() => unattended('a batch', this.run()));
      this.waiting.push({ item, resolve, reject });
    });
  }

  private async run(): Promise<void> {
    const asked = this.waiting;
    this.waiting = [];
    try {
      const results = await this.work(asked.map(({ item }) => item));
      for (const [at, { resolve, reject }] of asked.entries()) {
        const result = results[at]!;
        if (result instanceof Error) reject(result);
        else resolve(result);
      }
    } catch (error) {
      for (const { reject } of asked) reject(error);
    }
  }
}
