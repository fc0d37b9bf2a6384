import { integrationKind, type ProjectRef } from '@moothall/contracts';
import { projectNamed } from '@moothall/testing';
import { pipeline, push } from '../../../test/payloads';
import type { Facts } from '../../events/facts';
import type { Occurrence } from '../../events/occurrence';
import type { SubscriberCache } from '../../events/subscriber-cache';
import { Subscribers } from '../../events/subscribers';
import type { OpenedIntegration, OpenedIntegrations } from '../opened-integrations';
import { deliveryPart } from '../payload/delivery-part';
import type { Payload } from '../payload/payload';
import type { Settings } from '../request/outgoing';
import { IntegrationSubscriber } from './integration-subscriber';

const project: ProjectRef = projectNamed('engine');

const integration = (_id: number, slug: string, settings: Settings, switches = {}): OpenedIntegration => ({
  kind: integrationKind(slug)!,
  document: {
    ...{ _id, projectId: project.id, slug, isActive: true, settings: {}, sealed: {}, switches },
    ...{ createdAt: new Date(), updatedAt: new Date() },
  },
  settings,
});

const occurrence = (payload: Payload, under: string): Occurrence => ({
  ...{ id: 'event', switch: under, project, groupIds: [], branch: null, system: null },
  web: async () => payload as unknown as Record<string, unknown>,
});

async function toldTo(active: OpenedIntegration[], payload: Payload, under: string) {
  const opened = { active: async () => active, trackerAmong: () => undefined } as unknown as OpenedIntegrations;
  const facts = {
    user: async () => ({ email: 'ada@example.com' }),
    isProtected: async () => false,
  } as unknown as Facts;
  const subscriberCache = {
    findUnlessEmpty: async (_: unknown, __: unknown, find: () => unknown) => find(),
  } as unknown as SubscriberCache;
  const subscriber = new IntegrationSubscriber(new Subscribers(), opened, facts, subscriberCache);
  const deliveries = await subscriber.deliveriesFor(occurrence(payload, under));
  return deliveries.map((delivery) => `${delivery.line} ${deliveryPart(delivery).part}`);
}

const webhook = { webhook: 'https://chat.example.com/' };

it('creates a delivery for each subscribed integration, in its own queue', async () => {
  const active = [
    integration(1, 'slack', webhook),
    integration(2, 'discord', webhook, { push_events: false }),
    integration(3, 'external-wiki', { external_wiki_url: 'https://wiki.example.com/' }),
    integration(4, 'slack', { ...webhook, branches_to_be_notified: 'protected' }),
  ];
  expect(await toldTo(active, push(), 'push_events')).toEqual(['integration-1 0']);
});

it('creates deliveries for integrations that only receive commits', async () => {
  const jira = { url: 'https://jira.example.com', username: 'u', password: 'p' };
  const closing = push({ commits: [{ ...push().commits[0]!, message: 'Closes AB-1' }] });
  const active = [integration(1, 'jira', jira, { push_events: false })];
  expect(await toldTo(active, closing, 'push_events')).toEqual(['integration-1 0', 'integration-1 1']);
  expect(await toldTo([integration(1, 'jira', jira, { commit_events: false })], closing, 'push_events')).toEqual([]);
});

it('sends one mail to each recipient, and to the user who started a pipeline', async () => {
  const recipients = 'one@example.com two@example.com one@example.com';
  const mails = integration(1, 'pipelines-email', { recipients, add_pusher: true });
  expect(await toldTo([mails], pipeline(), 'pipeline_events')).toEqual([
    'integration-1 one@example.com',
    'integration-1 two@example.com',
    'integration-1 ada@example.com',
  ]);
  expect(await toldTo([mails], pipeline({ status: 'running' }), 'pipeline_events')).toEqual([]);
});
