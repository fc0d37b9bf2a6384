import type { EventRecord } from '@moothall/contracts';
import { OnEventsInOrder } from '@moothall/messaging';
import { Injectable } from '@nestjs/common';
import { Deliveries } from '../delivery/deliveries';
import { Facts } from './facts';
import { Subscribers } from './subscribers';
import { deploymentMappers } from './map-deployments';
import { pipelineMappers } from './map-pipelines';
import { groupAndProjectMappers } from './map-groups-and-projects';
import { pushMappers } from './map-pushes';
import { releaseMappers } from './map-releases';
import { userMappers } from './map-users';
import { issueAndMergeRequestMappers } from './map-issues-and-merge-requests';

const mappers = [
  ...pushMappers,
  ...issueAndMergeRequestMappers,
  ...pipelineMappers,
  ...releaseMappers,
  ...deploymentMappers,
  ...groupAndProjectMappers,
  ...userMappers,
];
const byName = new Map(mappers.map((mapper) => [mapper.contract.name, mapper]));

/** Consumes the events of all services in order, and stores the deliveries of each subscriber. */
@Injectable()
export class ConsumeEvents {
  constructor(
    private readonly facts: Facts,
    private readonly subscribers: Subscribers,
    private readonly deliveries: Deliveries,
  ) {}

  @OnEventsInOrder(
    mappers.map(({ contract }) => contract),
    'FollowEvents',
  )
  async follow(event: EventRecord): Promise<void> {
    const occurrences = (await byName.get(event.name)?.tell(event, this.facts)) ?? [];
    const wanted = await Promise.all(occurrences.map((occurrence) => this.subscribers.deliveriesFor(occurrence)));
    await this.deliveries.add(wanted.flat());
  }
}
