import { Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { type Limits, type ThreadFailed, WorkerPool } from './worker-pool';

/** How often threads of each module could not start, could not load it, or failed without a task, in this process. */
export const threadFailures = new Map<string, number>();

/** The checks of this process run one after the other, so that their threads do not use memory at the same time. */
let checked: Promise<unknown> = Promise.resolve();

/**
 * A provider that does its work in threads. When the service starts, a thread loads the module and ends; if that fails, the
 * service does not start. The threads end with the service.
 */
export abstract class InThreads<I, O> implements OnApplicationBootstrap, OnApplicationShutdown {
  protected readonly pool: WorkerPool<I, O>;

  /** @param module name of the module whose default export does the work, for example `@moothall/ci/pipeline-file/work-out-in-thread` */
  constructor(
    private readonly module: string,
    private readonly threadLimits: Partial<Limits>,
  ) {
    threadFailures.set(module, threadFailures.get(module) ?? 0);
    this.pool = this.open();
  }

  onApplicationBootstrap(): Promise<void> {
    const check = checked.then(() => this.loadInThread());
    // The service that waits for this check fails with its error; the next check runs anyway.
    checked = check.catch(() => undefined);
    return check;
  }

  onApplicationShutdown(): Promise<void> {
    return this.pool.close();
  }

  private async loadInThread(): Promise<void> {
    const pool = this.open();
    try {
      await pool.check();
    } finally {
      await pool.close();
    }
  }

  private open(): WorkerPool<I, O> {
    const log = new Logger(this.module);
    return new WorkerPool(require.resolve(this.module), this.threadLimits, ({ message }: ThreadFailed) => {
      threadFailures.set(this.module, (threadFailures.get(this.module) ?? 0) + 1);
      log.error(message);
    });
  }
}
