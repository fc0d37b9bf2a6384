import { Access, memberLevels, type ProjectRef } from '@moothall/contracts';
import { OperationClient } from '@moothall/messaging';
import { UserDirectory } from '@moothall/users';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Courier, Errand, HttpErrand, Keepers } from '../../delivery/courier';
import { Couriers } from '../../delivery/couriers';
import type { FullDelivery } from '../../delivery/delivery.schema';
import { Facts } from '../../events/facts';
import { IrkerErrands } from '../irker/irker-errands';
import { MailErrands } from '../mail/mail-errands';
import { type OpenedIntegration, OpenedIntegrations } from '../opened-integrations';
import type { OutgoingRequest, Settings } from '../request/outgoing';
import { speakers } from '../speakers/speakers';
import { type ToldPart, toldPart } from '../told/told-part';

/** Brings what integrations have to say to where it goes. */
@Injectable()
export class IntegrationCourier implements Courier, OnModuleInit {
  readonly kind = 'integration';

  constructor(
    private readonly couriers: Couriers,
    private readonly integrations: OpenedIntegrations,
    private readonly facts: Facts,
    private readonly client: OperationClient,
    private readonly users: UserDirectory,
    private readonly mails: MailErrands,
    private readonly irker: IrkerErrands,
  ) {}

  onModuleInit(): void {
    this.couriers.add(this);
  }

  async errandFor(id: number, delivery: FullDelivery): Promise<Errand | null> {
    const integration = await this.integrations.find(id);
    const project = integration && (await this.facts.project(integration.document.projectId));
    if (!integration || !project) return null;
    const told = toldPart(delivery);
    if (integration.kind.profile === 'emails') return this.mails.errandFor(integration, project, told);
    if (integration.kind.slug === 'irker') return this.irker.errandFor(integration, told);
    return this.requestFor(integration, project, told);
  }

  private async requestFor(
    { kind, document, settings }: OpenedIntegration,
    project: ProjectRef,
    { payload, part }: ToldPart,
  ): Promise<HttpErrand | null> {
    const tracker = this.integrations.trackerAmong(await this.integrations.active(project.id), project);
    const comments = document.switches.comment_on_event_enabled !== false;
    const request = speakers[kind.slug]?.(payload, { settings, comments, tracker })[Number(part)];
    return request ? errandOf(request, settings) : null;
  }

  async keepersOf(id: number): Promise<Keepers | null> {
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

/** Addresses and headers of integrations have tokens in them: people are shown where it went, and no more. */
const errandOf = ({ method, url, headers, body }: OutgoingRequest, settings: Settings): HttpErrand => ({
  ...{ method, url, headers, body },
  shownUrl: new URL(url).origin,
  secretHeaders: ['authorization', 'x-trackertoken'],
  verifiesTls: settings.enable_ssl_verification !== false,
  policy: 'services',
});
