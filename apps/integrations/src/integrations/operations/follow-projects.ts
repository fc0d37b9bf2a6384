import { type EventData, type EventRecord, projectDeleted } from '@moothall/contracts';
import { OnEvent } from '@moothall/messaging';
import { Injectable } from '@nestjs/common';
import { Deliveries } from '../../delivery/deliveries';
import { IntegrationRepository } from '../integration.repository';
import { queueOf } from '../integration.schema';

/** Deletes integrations with their project. */
@Injectable()
export class FollowProjects {
  constructor(
    private readonly integrations: IntegrationRepository,
    private readonly deliveries: Deliveries,
  ) {}

  @OnEvent(projectDeleted, 'IntegrationsFollowProjects-onDeleted')
  async onDeleted({ data }: EventRecord<EventData<typeof projectDeleted>>): Promise<void> {
    for (const { _id, slug } of await this.integrations.all(data.project_id)) {
      await this.deliveries.forget(queueOf(_id));
      await this.integrations.remove(data.project_id, slug);
    }
  }
}
