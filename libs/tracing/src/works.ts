import { Logger } from '@nestjs/common';
import { LineLimit } from './line-limit';
import { type Origin, Task, withinTask } from './task';

export type Kind = 'operation' | 'event' | 'job';

export interface WorksOptions {
  /** What takes longer is logged; 0 for nothing. */
  slowMs?: number | undefined;
  /** Whether tasks know of what they belong to. */
  isFollowing?: boolean | undefined;
  /** Whether everything is logged, at the level `debug`. */
  isVerbose?: boolean | undefined;
  /** For metrics. */
  onSlow?: ((kind: Kind) => void) | undefined;
}

/** A flood of what is slow must not become one of lines. */
const linesPerSecond = 5;

/** Where work begins: it is followed, and logged where it took long. */
export class Works {
  private readonly log = new Logger('slow');
  private readonly done = new Logger('done');
  private readonly slowLines = new LineLimit(linesPerSecond, (line) => this.log.warn(line));

  constructor(private readonly options: WorksOptions = {}) {}

  get isFollowing(): boolean {
    return this.options.isFollowing ?? false;
  }

  /** Does it as a task, which is current in all that follows from it. Without a line of its own. */
  as<T>(origin: Origin, work: () => T): T {
    return this.isFollowing ? withinTask(new Task(origin), work) : work();
  }

  /** @param name of the operation, the queue or the position in the stream: nothing that a caller said, since it is logged */
  async do<T>(kind: Kind, name: string, origin: Origin, work: () => Promise<T>): Promise<T> {
    const task = new Task(origin);
    const started = performance.now();
    const run = async (): Promise<T> => {
      try {
        return await work();
      } finally {
        this.tell(kind, name, task, performance.now() - started);
      }
    };
    return this.isFollowing ? withinTask(task, run) : run();
  }

  private tell(kind: Kind, name: string, task: Task, tookMs: number): void {
    const { slowMs = 0, isVerbose, onSlow } = this.options;
    const isSlow = slowMs > 0 && tookMs > slowMs;
    if (isSlow) {
      onSlow?.(kind);
      this.slowLines.line(describe(kind, name, task, tookMs));
    } else if (isVerbose) this.done.debug(describe(kind, name, task, tookMs));
  }
}

function describe(kind: Kind, name: string, task: Task, tookMs: number): string {
  const waits = task.waited().map(([partner, ms]) => `${partner} ${ms.toFixed(0)} ms`);
  const waited = waits.length > 0 ? `, waited for ${waits.join(', ')}` : '';
  return `${kind} ${name} took ${tookMs.toFixed(0)} ms${waited}; request ${task.requestId}`;
}
