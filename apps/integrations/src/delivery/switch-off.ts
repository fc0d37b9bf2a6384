import { Mailer } from '@moothall/mail';
import { settingsToken } from '@moothall/service';
import { Inject, Injectable, Logger } from '@nestjs/common';
import type { IntegrationsSettings } from '../settings/settings';
import { DeliveryRecords } from './delivery.repository';
import { DeliveryHandlers } from './delivery-handlers';
import { DeliveryQueues } from './delivery-queue.repository';
import type { DeliveryQueue } from './delivery-queue.schema';

/** Fewer failures do not switch off. */
const leastFailures = 4;

/** Switches off subscribers that fail for days, and sends a mail to their maintainers. */
@Injectable()
export class SwitchOff {
  private readonly log = new Logger(SwitchOff.name);

  constructor(
    private readonly queues: DeliveryQueues,
    private readonly records: DeliveryRecords,
    private readonly handlers: DeliveryHandlers,
    private readonly mailer: Mailer,
    @Inject(settingsToken) private readonly settings: IntegrationsSettings,
  ) {}

  /** @returns whether the queue is switched off now */
  async ifDue({ _id, failures, failingSince }: DeliveryQueue, now: Date): Promise<boolean> {
    const sinceMs = now.getTime() - (failingSince ?? now).getTime();
    if (failures < leastFailures || sinceMs < this.settings.HOOK_OFF_AFTER * 1000) return false;
    const isFirst = await this.queues.switchOff(_id);
    await this.records.end(_id, 'dead');
    if (isFirst)
      await this.notifyMaintainers(_id).catch((error: unknown) =>
        this.log.warn(`the mail about ${_id} was not sent: ${error}`),
      );
    return true;
  }

  private async notifyMaintainers(queue: string): Promise<void> {
    const { handler, id } = this.handlers.of(queue);
    const maintainers = await handler.maintainersOf(id);
    for (const to of maintainers?.emails ?? []) await this.mailer.send({ to, ...mailOf(maintainers?.what ?? '') });
  }
}

const mailOf = (what: string) => ({
  subject: `Switched off: ${what}`,
  text: `Hello!

Nothing could be delivered to the ${what} for days. It was switched off, and what waited for it was given up.

Once its receiver is there again, test it or edit it: a test that succeeds, or an edit, switches it on.
`,
});
