/**
 * Commands between a parent and its children over their channel: names of orders and their handlers, which get the
 * arguments as JSON.
 */
export type Orders<Name extends string> = Record<Name, (detail: unknown) => Promise<void>>;

interface Order {
  order: string;
  number: number;
  detail?: unknown;
}

interface CarriedOut {
  carriedOut: number;
  failure?: string;
}

/** One end of a channel: a ChildProcess for its parent, `process` for a child. */
interface Channel {
  on(event: 'message' | 'disconnect', listener: (message: unknown) => void): unknown;
  send?: ((message: object, handle: undefined, options: undefined, sent: Sent) => boolean) | undefined;
}

type Sent = (error: Error | null) => void;

/** @param channel whose other end may give these orders */
export function takeOrders<Name extends string>(channel: Channel, orders: Orders<Name>): void {
  channel.on('message', (message: unknown) => {
    if (!isOrder(message) || !Object.hasOwn(orders, message.order)) return;
    const { order, number, detail } = message;
    const tell = (answer: CarriedOut) => channel.send?.(answer, undefined, undefined, () => undefined);
    orders[order as Name](detail).then(
      () => tell({ carriedOut: number }),
      (error: unknown) => tell({ carriedOut: number, failure: error instanceof Error ? error.message : String(error) }),
    );
  });
}

/** Sends orders to the other end of a channel. */
export class Orderer<Name extends string> {
  private readonly waiting = new Map<number, { resolve: () => void; reject: (error: Error) => void }>();
  private last = 0;

  constructor(private readonly channel: Channel) {
    channel.on('message', (message: unknown) => {
      if (isCarriedOut(message)) this.end(message);
    });
    channel.on('disconnect', () => {
      for (const { reject } of this.waiting.values()) reject(new Error('the other process has ended'));
      this.waiting.clear();
    });
  }

  /** Resolves when it was executed. @throws Error with the reason for its failure, or if the other process has ended */
  give(order: Name, detail?: unknown): Promise<void> {
    return new Promise((resolve, reject) => {
      const number = ++this.last;
      this.waiting.set(number, { resolve, reject });
      const refuse: Sent = (error) => {
        if (error && this.waiting.delete(number)) reject(error);
      };
      if (this.channel.send) this.channel.send({ order, number, detail } satisfies Order, undefined, undefined, refuse);
      else refuse(new Error('there is no channel'));
    });
  }

  private end({ carriedOut, failure }: CarriedOut): void {
    const waiting = this.waiting.get(carriedOut);
    this.waiting.delete(carriedOut);
    if (failure === undefined) waiting?.resolve();
    else waiting?.reject(new Error(failure));
  }
}

const isOrder = (message: unknown): message is Order =>
  typeof message === 'object' && message !== null && 'order' in message && 'number' in message;

const isCarriedOut = (message: unknown): message is CarriedOut =>
  typeof message === 'object' && message !== null && 'carriedOut' in message;
