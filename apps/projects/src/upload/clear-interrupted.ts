import { type JobQueue, Jobs, jobQueue, WorksOn } from '@moothall/jobs';
import { ObjectStorage } from '@moothall/object-storage';
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';

const interruptedFiles: JobQueue<Record<string, never>> = jobQueue({ name: 'projects.interrupted-files' });
const everySeconds = 3600;

/** Removes what killed processes have left of files they were writing. */
@Injectable()
export class ClearInterrupted implements OnApplicationBootstrap {
  constructor(
    private readonly storage: ObjectStorage,
    private readonly jobs: Jobs,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.jobs.every(interruptedFiles, everySeconds, {});
  }

  @WorksOn(interruptedFiles)
  async run(): Promise<void> {
    await this.storage.removeInterrupted();
  }
}
