import { randomUUID } from 'node:crypto';
import { present } from '@moothall/contracts';
import { type JobHandler, WorksOn } from '@moothall/jobs';
import { settingsToken } from '@moothall/service';
import { Inject, Injectable } from '@nestjs/common';
import type { IntegrationsSettings } from '../settings/settings';
import { CircuitBreakers } from './circuit-breakers';
import { Deliveries, deliveryQueueJobs } from './deliveries';
import { type Attempt, DeliveryRecords, type NewDelivery } from './delivery.repository';
import type { Delivery, FullDelivery } from './delivery.schema';
import type { DeliveryTask } from './delivery-handler';
import { DeliveryHandlers } from './delivery-handlers';
import { DeliveryQueues } from './delivery-queue.repository';
import type { DeliveryQueue, DeliveryQueueJob } from './delivery-queue.schema';
import { SwitchOff } from './switch-off';
import { type Outcome, TaskSender, targetOf } from './task-sender';
import { isOver, pauseSeconds } from './verdict';

/** A queue with more deliveries gives way to others after this number. */
const perTurn = 20;

/** Whether the queue goes on with the next delivery, is released, or waits. */
type Next = 'go on' | 'let go' | { waitSeconds: number };

/** Sends the deliveries of each queue in order. */
@Injectable()
export class Deliverer {
  constructor(
    private readonly handlers: DeliveryHandlers,
    private readonly deliveries: Deliveries,
    private readonly records: DeliveryRecords,
    private readonly queues: DeliveryQueues,
    private readonly sender: TaskSender,
    private readonly breakers: CircuitBreakers,
    private readonly switchOff: SwitchOff,
    @Inject(settingsToken) private readonly settings: IntegrationsSettings,
  ) {}

  @WorksOn(deliveryQueueJobs)
  async work(mine: DeliveryQueueJob, job: Parameters<JobHandler<DeliveryQueueJob>>[1]): Promise<void> {
    const run = { ...mine, run: randomUUID() };
    const own = () => this.queues.own(run);
    for (let queue = await this.queues.begin(run); queue; queue = await own()) {
      const waitMs = (queue.retryAt?.getTime() ?? 0) - Date.now();
      if (waitMs > 0) return this.deliveries.handOver(run, waitMs / 1000);
      const waiting = await this.records.waiting(queue._id, perTurn);
      for (const [before, delivery] of waiting.entries()) {
        // While Redis or this process was suspended, another process may have started the job again.
        const held = before === 0 ? queue : await own();
        if (!held) return;
        const next = await this.sendInTurn(held, delivery);
        if (next === 'let go') break;
        if (next !== 'go on') return this.deliveries.handOver(run, next.waitSeconds);
        // A previous process was lost. The progress shows that this job did not complete it.
        if (job.stalledCounter > 0) await job.updateProgress((Number(job.progress) || 0) + 1);
      }
      if (waiting.length === perTurn) return this.deliveries.handOver(run);
      if (await this.queues.release(queue)) return;
    }
  }

  private async sendInTurn(queue: DeliveryQueue, delivery: Delivery): Promise<Next> {
    const { handler, id } = this.handlers.of(queue._id);
    const [full] = await this.records.full([delivery]);
    const task = await handler.taskFor(id, present(full, 'the delivery'));
    if (!task) {
      await this.records.end(queue._id, 'dropped');
      return 'let go';
    }
    const waitMs = this.breakers.enter(targetOf(task));
    if (waitMs > 0)
      return isOver(delivery, new Date(), this.settings.DELIVERY_RETRY_SPAN)
        ? this.giveUp(delivery)
        : { waitSeconds: waitMs / 1000 };
    const outcome = await this.attempt(task, delivery, 'waiting');
    if (outcome.verdict !== 'sent') return this.afterFailure(queue, delivery, outcome);
    if (queue.failures > 0) await this.queues.mend(queue._id);
    return 'go on';
  }

  private async afterFailure(queue: DeliveryQueue, delivery: Delivery, { verdict }: Outcome): Promise<Next> {
    const now = new Date();
    const pause = verdict === 'failed' ? pauseSeconds(queue.failures + 1, this.settings.DELIVERY_RETRY_PAUSE) : 0;
    const retryAt = pause > 0 ? new Date(now.getTime() + pause * 1000) : null;
    const after = await this.queues.fail(queue, now, retryAt);
    if (!after || (await this.switchOff.ifDue(after, now))) return 'let go';
    if (verdict === 'refused') return 'go on';
    if (isOver(delivery, now, this.settings.DELIVERY_RETRY_SPAN)) await this.giveUp(delivery);
    return { waitSeconds: pause };
  }

  private async giveUp({ _id }: Delivery): Promise<Next> {
    await this.records.giveUp(_id);
    return 'go on';
  }

  /** Sends a delivery immediately and out of order, while the caller waits: tests and resends. @returns null if the subscriber was deleted */
  async sendNow(wanted: NewDelivery): Promise<FullDelivery | null> {
    const { handler, id } = this.handlers.of(wanted.line);
    const added = await this.records.add([wanted], 'tried');
    const delivery = await this.records.find(wanted.line, added);
    const task = delivery && (await handler.taskFor(id, delivery));
    if (!task) return null;
    const outcome = await this.attempt(task, delivery, 'dead');
    if (outcome.verdict === 'sent') await this.deliveries.mend(wanted.line);
    return this.records.find(wanted.line, added);
  }

  /** @param otherwise the state after a failure */
  private async attempt(task: DeliveryTask, delivery: Delivery, otherwise: 'waiting' | 'dead'): Promise<Outcome> {
    const attemptedAt = new Date();
    const outcome = await this.sender.send(task);
    this.breakers.leave(targetOf(task), outcome.isThere);
    await this.records.attempted(delivery._id, {
      state: outcome.verdict === 'failed' ? otherwise : outcome.verdict,
      ...requestOf(task),
      answer: outcome.answer,
      error: outcome.error,
      durationSeconds: (Date.now() - attemptedAt.getTime()) / 1000,
      attemptedAt,
    });
    return outcome;
  }
}

function requestOf(task: DeliveryTask): Pick<Attempt, 'shownUrl' | 'requestHeaders'> {
  if ('run' in task) return { shownUrl: task.shownUrl, requestHeaders: null };
  const shown = Object.entries(task.headers).map(([name, value]) => [
    name,
    task.secretHeaders.includes(name) ? '[REDACTED]' : value,
  ]);
  return { shownUrl: task.shownUrl, requestHeaders: Object.fromEntries(shown) };
}
