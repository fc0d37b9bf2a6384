import type { EventRecord } from '@moothall/contracts';
import { OnEventsInOrder } from '@moothall/messaging';
import { Injectable } from '@nestjs/common';
import { Deliveries } from '../delivery/deliveries';
import { Facts } from './facts';
import { deploymentMappers } from './map-deployments';
import { groupAndProjectMappers } from './map-groups-and-projects';
import { issueAndMergeRequestMappers } from './map-issues-and-merge-requests';
import { pipelineMappers } from './map-pipelines';
import { pushMappers } from './map-pushes';
import { releaseMappers } from './map-releases';
import { userMappers } from './map-users';
import { Subscribers } from './subscribers';

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
  async consume(event: EventRecord): Promise<void> {
    const occurrences = (await byName.get(event.name)?.map(event, this.facts)) ?? [];
    const wanted = await Promise.all(occurrences.map((occurrence) => this.subscribers.deliveriesFor(occurrence)));
    await this.deliveries.add(wanted.flat());
  }
}
