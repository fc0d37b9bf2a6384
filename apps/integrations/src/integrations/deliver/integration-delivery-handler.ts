import { Access, memberLevels, type ProjectRef } from '@moothall/contracts';
import { OperationClient } from '@moothall/messaging';
import { UserDirectory } from '@moothall/users';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { FullDelivery } from '../../delivery/delivery.schema';
import type { DeliveryHandler, DeliveryTask, HttpTask, Maintainers } from '../../delivery/delivery-handler';
import { DeliveryHandlers } from '../../delivery/delivery-handlers';
import { Facts } from '../../events/facts';
import { IrkerTasks } from '../irker/irker-tasks';
import { requestBuilders } from '../kinds/request-builders';
import { MailTasks } from '../mail/mail-tasks';
import { type OpenedIntegration, OpenedIntegrations } from '../opened-integrations';
import { type DeliveryPart, deliveryPart } from '../payload/delivery-part';
import type { OutgoingRequest, Settings } from '../request/outgoing';

/** Builds the requests of integrations. */
@Injectable()
export class IntegrationDeliveryHandler implements DeliveryHandler, OnModuleInit {
  readonly kind = 'integration';

  constructor(
    private readonly handlers: DeliveryHandlers,
    private readonly integrations: OpenedIntegrations,
    private readonly facts: Facts,
    private readonly client: OperationClient,
    private readonly users: UserDirectory,
    private readonly mails: MailTasks,
    private readonly irker: IrkerTasks,
  ) {}

  onModuleInit(): void {
    this.handlers.add(this);
  }

  async taskFor(id: number, delivery: FullDelivery): Promise<DeliveryTask | null> {
    const integration = await this.integrations.find(id);
    const project = integration && (await this.facts.project(integration.document.projectId));
    if (!integration || !project) return null;
    const deliveredPart = deliveryPart(delivery);
    if (integration.kind.profile === 'emails') return this.mails.taskFor(integration, project, deliveredPart);
    if (integration.kind.slug === 'irker') return this.irker.taskFor(integration, deliveredPart);
    return this.requestFor(integration, project, deliveredPart);
  }

  private async requestFor(
    { kind, document, settings }: OpenedIntegration,
    project: ProjectRef,
    { payload, part }: DeliveryPart,
  ): Promise<HttpTask | null> {
    const tracker = this.integrations.trackerAmong(await this.integrations.active(project.id), project);
    const comments = document.switches.comment_on_event_enabled !== false;
    const request = requestBuilders[kind.slug]?.(payload, { settings, comments, tracker })[Number(part)];
    return request ? taskOf(request, settings) : null;
  }

  async maintainersOf(id: number): Promise<Maintainers | null> {
    const integration = await this.integrations.find(id);
    if (!integration) return null;
    const { projectId } = integration.document;
    const project = await this.facts.project(projectId);
    if (!project) return null;
    const levels = await this.client.call(memberLevels, { project_id: projectId });
    const ids = levels.filter(({ access_level }) => access_level >= Access.Maintainer).map(({ user_id }) => user_id);
    const maintainers = [...(await this.users.records(ids)).values()].filter(({ state }) => state === 'active');
    return {
      what: `integration ${integration.kind.title} of ${project.fullPath}`,
      emails: maintainers.map(({ email }) => email),
    };
  }
}

/** URLs and headers of integrations contain tokens: only the host is shown. */
const taskOf = ({ method, url, headers, body }: OutgoingRequest, settings: Settings): HttpTask => ({
  ...{ method, url, headers, body },
  shownUrl: new URL(url).origin,
  secretHeaders: ['authorization', 'x-trackertoken'],
  verifiesTls: settings.enable_ssl_verification !== false,
  policy: 'services',
});
