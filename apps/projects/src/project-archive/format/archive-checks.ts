import path from 'node:path';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { commonErrors, OperationError } from '@moothall/contracts';
import { settingsToken } from '@moothall/service';
import { OutOfBounds, WorkerPool } from '@moothall/workers';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { ProjectsSettings } from '../../settings/settings';
import type { ArchiveFacts, Check } from './check-in-thread';
import { type ArchiveLimits, archiveRefused } from './read-archive';

type Outcome = Awaited<ReturnType<typeof import('./check-in-thread').default>>;

/** Rows and files of one archive. */
const maxRecords = 2_000_000;

/** Reads archives through in threads of their own, since their authors decide how much there is to read. */
@Injectable()
export class ProjectArchiveChecks implements OnApplicationShutdown {
  private readonly pool: WorkerPool<Check, Outcome>;
  readonly limits: ArchiveLimits;

  constructor(@Inject(settingsToken) settings: ProjectsSettings) {
    this.limits = { maxBytes: settings.PROJECT_ARCHIVE_MAX_SIZE, maxRecords };
    this.pool = new WorkerPool(path.join(__dirname, 'check-in-thread.js'), {
      withinMs: settings.PROJECT_IMPORT_CHECK_TIMEOUT * 1000,
      memoryMb: 512,
      threads: 2,
      waiting: 10,
    });
  }

  /**
   * @param who stands for the caller: each has his turn
   * @throws project_export.archive_refused; common.unavailable when too many archives wait
   */
  async check(archive: Readable, who: string): Promise<ArchiveFacts> {
    // Its chunks go over as the thread asks for them.
    const bytes: ReadableStream<Uint8Array> = Readable.toWeb(archive);
    try {
      const outcome = await this.pool.run({ bytes, limits: this.limits }, { who, transfer: [bytes] });
      if ('refusal' in outcome) throw new OperationError(outcome.refusal);
      return outcome;
    } catch (error) {
      if (!(error instanceof OutOfBounds)) throw error;
      if (error.bound === 'waiting') throw commonErrors.unavailable();
      throw archiveRefused(`it takes too much ${error.bound} to be read`);
    } finally {
      archive.destroy();
    }
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pool.close();
  }
}
