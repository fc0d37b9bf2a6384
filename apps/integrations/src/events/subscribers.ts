import { Injectable } from '@nestjs/common';
import type { NewDelivery } from '../delivery/delivery.repository';
import type { Occurrence, Subscriber } from './occurrence';

/** All subscribers of this process. */
@Injectable()
export class Subscribers {
  private readonly known: Subscriber[] = [];

  add(subscriber: Subscriber): void {
    this.known.push(subscriber);
  }

  async deliveriesFor(occurrence: Occurrence): Promise<NewDelivery[]> {
    const wanted = await Promise.all(this.known.map((subscriber) => subscriber.deliveriesFor(occurrence)));
    return wanted.flat();
  }
}
