import { Sweeps } from '@moothall/background';
import { Injectable } from '@nestjs/common';
import { ObjectStorage } from './object-storage';

/** Removes what killed processes have left of files that never became one. For the module that keeps a service's files. */
@Injectable()
export class ClearInterrupted {
  constructor(private readonly storage: ObjectStorage) {}

  @Sweeps('interrupted files', { everySeconds: 3600 })
  async run(): Promise<void> {
    await this.storage.removeInterrupted();
  }
}
