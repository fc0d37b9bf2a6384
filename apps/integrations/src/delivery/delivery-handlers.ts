import { present } from '@moothall/contracts';
import { Injectable } from '@nestjs/common';
import type { DeliveryHandler } from './delivery-handler';

/** The delivery handlers of this process, by the prefix of their queues. */
@Injectable()
export class DeliveryHandlers {
  private readonly known = new Map<string, DeliveryHandler>();

  add(handler: DeliveryHandler): void {
    this.known.set(handler.kind, handler);
  }

  /** The handler of a queue, and the id of its subscriber. @throws for a prefix without a handler */
  of(line: string): { handler: DeliveryHandler; id: number } {
    const end = line.lastIndexOf('-');
    return {
      handler: present(this.known.get(line.slice(0, end)), `the handler of ${line}`),
      id: Number(line.slice(end + 1)),
    };
  }
}
