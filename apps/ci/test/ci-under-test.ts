import { removeTemporaryFolder, temporaryFolder } from '@moothall/processes';
import { type ServiceUnderTest, startServiceUnderTest, UploadStore } from '@moothall/testing';
import { getModelToken } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { service } from '../src';
import type { Artifact } from '../src/artifact/artifact.schema';
import { RemoveOldArtifacts } from '../src/artifact/remove-old-artifacts';
import type { Pipeline } from '../src/pipeline/pipeline.schema';
import { GiveUpJobs } from '../src/runner-job/give-up-jobs';
import type { PipelineSchedule } from '../src/schedule/schedule.schema';
import { FollowPushes } from '../src/trigger/follow-pushes';
import { CiStubServices } from './ci-stub-services';

/** The ci service with stub services. */
export class CiUnderTest {
  readonly stubs: CiStubServices;

  private constructor(
    readonly under: ServiceUnderTest,
    /** Folder of stored files. */
    readonly folder: string,
    /** Uploads as the gateway stores them. */
    readonly uploads: UploadStore,
  ) {
    this.stubs = new CiStubServices(under.respond);
  }

  static async start(settings: Record<string, string> = {}): Promise<CiUnderTest> {
    const folder = temporaryFolder('ci');
    const under = await startServiceUnderTest(service, { OBJECT_STORAGE_DIR: folder, ...settings });
    return new CiUnderTest(under, folder, await UploadStore.start());
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

  get artifacts(): Model<Artifact> {
    return this.under.running.app.get(getModelToken('Artifact'), { strict: false });
  }

  /** A periodic job of workers. */
  removeOldArtifacts(): Promise<void> {
    return this.under.running.app.get(RemoveOldArtifacts, { strict: false }).run();
  }

  /** Makes a schedule due. */
  async makeDue(scheduleId: number, at = new Date(Date.now() - 1000)): Promise<void> {
    await this.schedules.updateOne({ _id: scheduleId }, { $set: { nextRunAt: at } });
  }

  /** Handles a push directly, in addition to those of the stream. */
  hear(event: Parameters<FollowPushes['onPush']>[0]): Promise<void> {
    return this.under.running.app.get(FollowPushes, { strict: false }).onPush(event);
  }

  /** A periodic job of workers. */
  giveUpOverdue(): Promise<void> {
    return this.under.running.app.get(GiveUpJobs, { strict: false }).run();
  }

  async stop(): Promise<void> {
    await this.under.stop();
    await this.uploads.stop();
    await removeTemporaryFolder(this.folder);
  }
}
