import {
  type ContextOf,
  deleteIntegration,
  findClosedExternalIssues,
  getIntegration,
  listIntegrations,
  type ParsedOf,
  setIntegration,
} from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { Deliveries } from '../../delivery/deliveries';
import { DeliveryQueues } from '../../delivery/delivery-queue.repository';
import { IntegrationRepository } from '../integration.repository';
import { type IntegrationDocument, queueOf } from '../integration.schema';
import { viewEntry, viewIntegration } from '../integration.view';
import { KnownKinds } from '../known-kinds';
import { OpenedIntegrations } from '../opened-integrations';
import { closedIssuesIn } from '../tracker/external-issues';
import { SetIntegration } from './set-integration';

@Controller()
export class IntegrationOperations {
  constructor(
    private readonly kinds: KnownKinds,
    private readonly integrations: IntegrationRepository,
    private readonly opened: OpenedIntegrations,
    private readonly setting: SetIntegration,
    private readonly deliveries: Deliveries,
    private readonly lines: DeliveryQueues,
  ) {}

  @Handles(listIntegrations)
  async list({ project }: ContextOf<typeof listIntegrations>, _: ParsedOf<typeof listIntegrations>) {
    const found = await this.asTheyAre(await this.integrations.active(project.id));
    return found.flatMap((one) => {
      if (!one.isActive) return [];
      const kind = this.kinds.find(one.slug);
      return kind ? [viewEntry(kind, one)] : [];
    });
  }

  @Handles(getIntegration)
  async get({ project }: ContextOf<typeof getIntegration>, { slug }: ParsedOf<typeof getIntegration>) {
    const kind = this.kinds.get(slug);
    const found = await this.integrations.find(project.id, kind.slug);
    const [shown = null] = await this.asTheyAre(found ? [found] : []);
    return viewIntegration(kind, shown);
  }

  /** Integrations that failed for days are off, whatever their setting is. */
  private async asTheyAre(found: IntegrationDocument[]): Promise<IntegrationDocument[]> {
    const off = await this.lines.off(found.map(({ _id }) => queueOf(_id)));
    return found.map((one) => ({ ...one, isActive: one.isActive && !off.has(queueOf(one._id)) }));
  }

  @Handles(setIntegration)
  async set({ project }: ContextOf<typeof setIntegration>, input: ParsedOf<typeof setIntegration>) {
    const kind = this.kinds.get(input.slug);
    const set = await this.setting.set(project.id, kind, input);
    await this.deliveries.mend(queueOf(set._id));
    return viewIntegration(kind, set);
  }

  @Handles(deleteIntegration)
  async remove({ project }: ContextOf<typeof deleteIntegration>, { slug }: ParsedOf<typeof deleteIntegration>) {
    const kind = this.kinds.get(slug);
    const present = await this.integrations.find(project.id, kind.slug);
    if (!present) return;
    // Deliveries first: after the integration is deleted, nothing would delete the rest.
    await this.deliveries.forget(queueOf(present._id));
    await this.integrations.remove(project.id, kind.slug);
  }

  @Handles(findClosedExternalIssues)
  async findClosed(
    { project }: ContextOf<typeof findClosedExternalIssues>,
    { texts }: ParsedOf<typeof findClosedExternalIssues>,
  ) {
    const tracker = this.opened.trackerAmong(await this.opened.active(project.id), project);
    if (!tracker) return [];
    return closedIssuesIn(texts, tracker).map(({ id, url }) => ({ id, title: `External Issue ${id}`, web_url: url }));
  }
}
