import { randomUUID } from 'node:crypto';
import { present } from '@moothall/contracts';
import { type JobHandler, WorksOn } from '@moothall/jobs';
import { settingsToken } from '@moothall/service';
import { Inject, Injectable } from '@nestjs/common';
import type { IntegrationsSettings } from '../settings/settings';
import { CircuitBreakers } from './circuit-breakers';
import type { Errand } from './courier';
import { Couriers } from './couriers';
import { Deliveries, lineJobs } from './deliveries';
import { type Attempt, DeliveryRecords, type NewDelivery } from './delivery.repository';
import type { Delivery, FullDelivery } from './delivery.schema';
import { ErrandSender, type Outcome, targetOf } from './errand-sender';
import { Lines } from './line.repository';
import type { Line, LineJob } from './line.schema';
import { SwitchOff } from './switch-off';
import { isOver, pauseSeconds } from './verdict';

/** Of a line that has more, so many are sent before others have a turn. */
const perTurn = 20;

/** What to do with a line after one of its deliveries. */
type Next = 'go on' | 'let go' | { waitSeconds: number };

/** Sends the deliveries of each line, one after the other. */
@Injectable()
export class Deliverer {
  constructor(
    private readonly couriers: Couriers,
    private readonly deliveries: Deliveries,
    private readonly records: DeliveryRecords,
    private readonly lines: Lines,
    private readonly sender: ErrandSender,
    private readonly breakers: CircuitBreakers,
    private readonly switchOff: SwitchOff,
    @Inject(settingsToken) private readonly settings: IntegrationsSettings,
  ) {}

  @WorksOn(lineJobs)
  async work(mine: LineJob, job: Parameters<JobHandler<LineJob>>[1]): Promise<void> {
    const run = { ...mine, run: randomUUID() };
    const own = () => this.lines.own(run);
    for (let line = await this.lines.begin(run); line; line = await own()) {
      const waitMs = (line.retryAt?.getTime() ?? 0) - Date.now();
      if (waitMs > 0) return this.deliveries.handOver(run, waitMs / 1000);
      const waiting = await this.records.waiting(line._id, perTurn);
      for (const [before, delivery] of waiting.entries()) {
        // While Redis or this process was away, another may have begun the job anew.
        const held = before === 0 ? line : await own();
        if (!held) return;
        const next = await this.sendInTurn(held, delivery);
        if (next === 'let go') break;
        if (next !== 'go on') return this.deliveries.handOver(run, next.waitSeconds);
        // Its process was lost: who comes further than the time before is not to blame.
        if (job.stalledCounter > 0) await job.updateProgress((Number(job.progress) || 0) + 1);
      }
      if (waiting.length === perTurn) return this.deliveries.handOver(run);
      if (await this.lines.release(line)) return;
    }
  }

  private async sendInTurn(line: Line, delivery: Delivery): Promise<Next> {
    const { courier, id } = this.couriers.of(line._id);
    const [full] = await this.records.full([delivery]);
    const errand = await courier.errandFor(id, present(full, 'the delivery'));
    if (!errand) {
      await this.records.end(line._id, 'dropped');
      return 'let go';
    }
    const waitMs = this.breakers.enter(targetOf(errand));
    if (waitMs > 0)
      return isOver(delivery, new Date(), this.settings.DELIVERY_RETRY_SPAN)
        ? this.giveUp(delivery)
        : { waitSeconds: waitMs / 1000 };
    const outcome = await this.attempt(errand, delivery, 'waiting');
    if (outcome.verdict !== 'sent') return this.afterFailure(line, delivery, outcome);
    if (line.failures > 0) await this.lines.mend(line._id);
    return 'go on';
  }

  private async afterFailure(line: Line, delivery: Delivery, { verdict }: Outcome): Promise<Next> {
    const now = new Date();
    const pause = verdict === 'failed' ? pauseSeconds(line.failures + 1, this.settings.DELIVERY_RETRY_PAUSE) : 0;
    const retryAt = pause > 0 ? new Date(now.getTime() + pause * 1000) : null;
    const after = await this.lines.fail(line, now, retryAt);
    if (!after || (await this.switchOff.ifDue(after, now))) return 'let go';
    if (verdict === 'refused') return 'go on';
    if (isOver(delivery, now, this.settings.DELIVERY_RETRY_SPAN)) await this.giveUp(delivery);
    return { waitSeconds: pause };
  }

  private async giveUp({ _id }: Delivery): Promise<Next> {
    await this.records.giveUp(_id);
    return 'go on';
  }

  /** Sends something at once and out of order, for somebody who waits: tests, and what is sent again. @returns null when its subscriber is gone */
  async sendNow(wanted: NewDelivery): Promise<FullDelivery | null> {
    const { courier, id } = this.couriers.of(wanted.line);
    const added = await this.records.add([wanted], 'tried');
    const delivery = await this.records.find(wanted.line, added);
    const errand = delivery && (await courier.errandFor(id, delivery));
    if (!errand) return null;
    const outcome = await this.attempt(errand, delivery, 'dead');
    if (outcome.verdict === 'sent') await this.deliveries.mend(wanted.line);
    return this.records.find(wanted.line, added);
  }

  /** @param otherwise the state of what failed */
  private async attempt(errand: Errand, delivery: Delivery, otherwise: 'waiting' | 'dead'): Promise<Outcome> {
    const attemptedAt = new Date();
    const outcome = await this.sender.send(errand);
    this.breakers.leave(targetOf(errand), outcome.isThere);
    await this.records.attempted(delivery._id, {
      state: outcome.verdict === 'failed' ? otherwise : outcome.verdict,
      ...requestOf(errand),
      answer: outcome.answer,
      error: outcome.error,
      durationSeconds: (Date.now() - attemptedAt.getTime()) / 1000,
      attemptedAt,
    });
    return outcome;
  }
}

function requestOf(errand: Errand): Pick<Attempt, 'shownUrl' | 'requestHeaders'> {
  if ('run' in errand) return { shownUrl: errand.shownUrl, requestHeaders: null };
  const shown = Object.entries(errand.headers).map(([name, value]) => [
    name,
    errand.secretHeaders.includes(name) ? '[REDACTED]' : value,
  ]);
  return { shownUrl: errand.shownUrl, requestHeaders: Object.fromEntries(shown) };
}
