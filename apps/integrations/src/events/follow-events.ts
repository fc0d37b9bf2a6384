import type { EventRecord } from '@moothall/contracts';
import { OnEventsInOrder } from '@moothall/messaging';
import { Injectable } from '@nestjs/common';
import { Deliveries } from '../delivery/deliveries';
import { Facts } from './facts';
import { Subscribers } from './subscribers';
import { deploymentTellers } from './tell-of-deployments';
import { pipelineTellers } from './tell-of-pipelines';
import { placeTellers } from './tell-of-places';
import { pushTellers } from './tell-of-pushes';
import { releaseTellers } from './tell-of-releases';
import { userTellers } from './tell-of-users';
import { workTellers } from './tell-of-work';

const tellers = [
  ...pushTellers,
  ...workTellers,
  ...pipelineTellers,
  ...releaseTellers,
  ...deploymentTellers,
  ...placeTellers,
  ...userTellers,
];
const byName = new Map(tellers.map((teller) => [teller.contract.name, teller]));

/** Hears what happens, in order, and lays down what each subscriber is to be told. */
@Injectable()
export class FollowEvents {
  constructor(
    private readonly facts: Facts,
    private readonly subscribers: Subscribers,
    private readonly deliveries: Deliveries,
  ) {}

  @OnEventsInOrder(
    tellers.map(({ contract }) => contract),
    'FollowEvents',
  )
  async follow(event: EventRecord): Promise<void> {
    const occurrences = (await byName.get(event.name)?.tell(event, this.facts)) ?? [];
    const wanted = await Promise.all(occurrences.map((occurrence) => this.subscribers.deliveriesFor(occurrence)));
    await this.deliveries.add(wanted.flat());
  }
}
