import { Access, memberLevels } from '@moothall/contracts';
import { OperationClient } from '@moothall/messaging';
import { SecretBox } from '@moothall/secrets';
import { settingsToken } from '@moothall/service';
import { UserDirectory } from '@moothall/users';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { FullDelivery } from '../delivery/delivery.schema';
import type { DeliveryHandler, HttpTask, Maintainers } from '../delivery/delivery-handler';
import { DeliveryHandlers } from '../delivery/delivery-handlers';
import type { IntegrationsSettings } from '../settings/settings';
import { Hooks } from './hook.repository';
import type { Hook } from './hook.schema';
import { withVariables } from './hook-url';
import { signatureOf, uuidOf } from './signature';

export const queueOf = (hookId: number): string => `hook-${hookId}`;

/** The event of a delivery. A resend has the same, so that receivers recognise it. */
export const eventOf = (key: string): string => key.split('#', 1)[0] ?? key;

/** As `Push Hook`; see docs/api/hooks.md#4. */
const headerOf = (trigger: string): string =>
  trigger
    .replace(/(^|_)([a-z])/g, (_, gap: string, letter: string) => `${gap && ' '}${letter.toUpperCase()}`)
    .replace(/Hooks$/, 'Hook');

/** Builds the requests of hooks. */
@Injectable()
export class HookDeliveryHandler implements DeliveryHandler, OnModuleInit {
  readonly kind = 'hook';

  constructor(
    private readonly handlers: DeliveryHandlers,
    private readonly hooks: Hooks,
    private readonly client: OperationClient,
    private readonly users: UserDirectory,
    private readonly box: SecretBox,
    @Inject(settingsToken) private readonly settings: IntegrationsSettings,
  ) {}

  onModuleInit(): void {
    this.handlers.add(this);
  }

  async taskFor(id: number, delivery: FullDelivery): Promise<HttpTask | null> {
    const hook = await this.hooks.find(id);
    if (!hook) return null;
    const open = (sealed: string | null) => (sealed === null ? null : this.box.open(sealed));
    const variables = new Map(hook.urlVariables.map(({ key, sealedValue }) => [key, this.box.open(sealedValue)]));
    const custom = hook.customHeaders.map(({ key, sealedValue }) => [key, this.box.open(sealedValue)] as const);
    const token = open(hook.sealedToken);
    const headers = {
      ...Object.fromEntries(custom),
      ...this.headersOf(hook, delivery),
      ...(token !== null && { 'X-Gitlab-Token': token }),
      ...signed(open(hook.sealedSigningToken) ?? token, delivery),
    };
    return {
      method: 'POST',
      url: withVariables(this.box.open(hook.sealedUrl), variables),
      shownUrl: hook.shownUrl,
      headers,
      secretHeaders: ['X-Gitlab-Token', ...custom.map(([name]) => name)],
      body: delivery.payload,
      verifiesTls: hook.verifiesTls,
      policy: hook.kind === 'system' ? 'system-hooks' : 'services',
    };
  }

  private headersOf(hook: Hook, { trigger, key, line }: FullDelivery): Record<string, string> {
    return {
      'Content-Type': 'application/json',
      'User-Agent': 'Moothall',
      'X-Gitlab-Event': hook.kind === 'system' ? 'System Hook' : headerOf(trigger),
      'X-Gitlab-Event-UUID': uuidOf(eventOf(key)),
      'X-Gitlab-Webhook-UUID': uuidOf(`${this.settings.EXTERNAL_URL} ${line}`),
      'X-Gitlab-Instance': this.settings.EXTERNAL_URL,
      'Idempotency-Key': uuidOf(`${line} ${eventOf(key)}`),
    };
  }

  async maintainersOf(id: number): Promise<Maintainers | null> {
    const hook = await this.hooks.find(id);
    if (!hook || hook.kind === 'system' || hook.parentId === null) return null;
    const place = hook.kind === 'project' ? { project_id: hook.parentId } : { group_id: hook.parentId };
    const least = hook.kind === 'project' ? Access.Maintainer : Access.Owner;
    const levels = await this.client.call(memberLevels, place);
    const ids = levels.filter(({ access_level }) => access_level >= least).map(({ user_id }) => user_id);
    const records = [...(await this.users.records(ids)).values()];
    const emails = records.filter(({ state }) => state === 'active').map(({ email }) => email);
    return { what: `webhook ${hook.shownUrl}`, emails };
  }
}

function signed(token: string | null, { line, key, payload }: FullDelivery): Record<string, string> {
  const id = uuidOf(`${line} ${eventOf(key)}`);
  const timestamp = Math.floor(Date.now() / 1000);
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    ...(token && { 'webhook-signature': signatureOf(token, id, timestamp, payload) }),
  };
}
