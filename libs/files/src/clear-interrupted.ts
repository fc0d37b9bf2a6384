import { PeriodicJob } from '@moothall/background';
import { ObjectStorage } from '@moothall/object-storage';
import { Injectable } from '@nestjs/common';

/** Removes unfinished files of killed processes. */
@Injectable()
export class ClearInterrupted {
  constructor(private readonly storage: ObjectStorage) {}

  @PeriodicJob('interrupted files', { everySeconds: 3600 })
  async run(): Promise<void> {
    await this.storage.removeInterrupted();
  }
}
