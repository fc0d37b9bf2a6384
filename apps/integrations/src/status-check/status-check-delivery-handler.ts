import { createHmac } from 'node:crypto';
import { SecretBox } from '@moothall/secrets';
import { settingsToken } from '@moothall/service';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { FullDelivery } from '../delivery/delivery.schema';
import type { DeliveryHandler, HttpTask } from '../delivery/delivery-handler';
import { DeliveryHandlers } from '../delivery/delivery-handlers';
import { uuidOf } from '../hook/signature';
import type { IntegrationsSettings } from '../settings/settings';
import { StatusChecks } from './status-check.repository';

export const queueOf = (checkId: number): string => `check-${checkId}`;

/** Builds the requests of status checks. See docs/api/merge-requests.md#12. */
@Injectable()
export class StatusCheckDeliveryHandler implements DeliveryHandler, OnModuleInit {
  readonly kind = 'check';

  constructor(
    private readonly handlers: DeliveryHandlers,
    private readonly checks: StatusChecks,
    private readonly box: SecretBox,
    @Inject(settingsToken) private readonly settings: IntegrationsSettings,
  ) {}

  onModuleInit(): void {
    this.handlers.add(this);
  }

  async taskFor(id: number, { line, key, payload }: FullDelivery): Promise<HttpTask | null> {
    const check = await this.checks.find(id);
    if (!check) return null;
    const secret = check.sealedSecret === null ? null : this.box.open(check.sealedSecret);
    return {
      method: 'POST',
      url: this.box.open(check.sealedUrl),
      shownUrl: check.shownUrl,
      headers: {
        'Content-Type': 'application/json',
        'User-Agent': 'Moothall',
        'X-Gitlab-Event': 'Merge Request Hook',
        'X-Gitlab-Instance': this.settings.EXTERNAL_URL,
        'Idempotency-Key': uuidOf(`${line} ${key}`),
        ...(secret !== null && { 'X-Gitlab-Signature': createHmac('sha256', secret).update(payload).digest('hex') }),
      },
      secretHeaders: [],
      body: payload,
      verifiesTls: true,
      policy: 'services',
    };
  }

  /** Merge requests show checks that do not answer, so nobody gets a mail. */
  async maintainersOf(): Promise<null> {
    return null;
  }
}
