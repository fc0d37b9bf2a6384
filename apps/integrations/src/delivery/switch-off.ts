import { Mailer } from '@moothall/mail';
import { settingsToken } from '@moothall/service';
import { Inject, Injectable, Logger } from '@nestjs/common';
import type { IntegrationsSettings } from '../settings/settings';
import { Couriers } from './couriers';
import { DeliveryRecords } from './delivery.repository';
import { Lines } from './line.repository';
import type { Line } from './line.schema';

/** A failure now and then is none that lasts. */
const leastFailures = 4;

/** Switches off what fails for days, with a word to those who keep it. */
@Injectable()
export class SwitchOff {
  private readonly log = new Logger(SwitchOff.name);

  constructor(
    private readonly lines: Lines,
    private readonly records: DeliveryRecords,
    private readonly couriers: Couriers,
    private readonly mailer: Mailer,
    @Inject(settingsToken) private readonly settings: IntegrationsSettings,
  ) {}

  /** @returns whether the line is off now */
  async ifDue({ _id, failures, failingSince }: Line, now: Date): Promise<boolean> {
    const sinceMs = now.getTime() - (failingSince ?? now).getTime();
    if (failures < leastFailures || sinceMs < this.settings.HOOK_OFF_AFTER * 1000) return false;
    const isFirst = await this.lines.switchOff(_id);
    await this.records.end(_id, 'dead');
    if (isFirst) await this.tell(_id).catch((error: unknown) => this.log.warn(`nobody was told of ${_id}: ${error}`));
    return true;
  }

  private async tell(line: string): Promise<void> {
    const { courier, id } = this.couriers.of(line);
    const keepers = await courier.keepersOf(id);
    for (const to of keepers?.emails ?? []) await this.mailer.send({ to, ...mailOf(keepers?.what ?? '') });
  }
}

const mailOf = (what: string) => ({
  subject: `Switched off: ${what}`,
  text: `Hello!

Nothing could be delivered to the ${what} for days. It was switched off, and what waited for it was given up.

Once its receiver is there again, test it or edit it: a test that succeeds, or an edit, switches it on.
`,
});
