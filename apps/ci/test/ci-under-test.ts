import { type ServiceUnderTest, startServiceUnderTest } from '@moothall/testing';
import { getModelToken } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { service } from '../src';
import type { Pipeline } from '../src/pipeline/pipeline.schema';
import { GiveUpJobs } from '../src/runner-job/give-up-jobs';
import type { PipelineSchedule } from '../src/schedule/schedule.schema';
import { FollowPushes } from '../src/trigger/follow-pushes';
import { CiStubServices } from './ci-stub-services';

/** The ci service, and stubs of those that it asks. */
export class CiUnderTest {
  readonly stubs: CiStubServices;

  private constructor(readonly under: ServiceUnderTest) {
    this.stubs = new CiStubServices(under.respond);
  }

  static async start(settings: Record<string, string> = {}): Promise<CiUnderTest> {
    return new CiUnderTest(await startServiceUnderTest(service, settings));
  }

  get call() {
    return this.under.client.call.bind(this.under.client);
  }

  get schedules(): Model<PipelineSchedule> {
    return this.under.running.app.get(getModelToken('PipelineSchedule'), { strict: false });
  }

  get pipelines(): Model<Pipeline> {
    return this.under.running.app.get(getModelToken('Pipeline'), { strict: false });
  }

  /** Lets a schedule be due, as if its time had come. */
  async makeDue(scheduleId: number, at = new Date(Date.now() - 1000)): Promise<void> {
    await this.schedules.updateOne({ _id: scheduleId }, { $set: { nextRunAt: at } });
  }

  /** Handles a push at once, beside whatever the stream brings. */
  hear(event: Parameters<FollowPushes['onPush']>[0]): Promise<void> {
    return this.under.running.app.get(FollowPushes, { strict: false }).onPush(event);
  }

  /** What a worker does every minute. */
  giveUpOverdue(): Promise<void> {
    return this.under.running.app.get(GiveUpJobs, { strict: false }).run();
  }

  stop(): Promise<void> {
    return this.under.stop();
  }
}
