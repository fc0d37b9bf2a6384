import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { ByteQueue } from '../process/byte-queue';
import { gitEnvironment, spawnGit } from '../process/run-git';

export type ObjectType = 'commit' | 'tree' | 'blob' | 'tag';

export interface ObjectInfo {
  /** 40 hex digits. */
  id: string;
  type: ObjectType;
  sizeBytes: number;
}

export interface GitObject extends ObjectInfo {
  content: Buffer;
}

interface Request {
  line: string;
  wantsContent: boolean;
  attempts: number;
  resolve: (object: GitObject | null) => void;
  reject: (error: Error) => void;
}

const FOUND = /^([0-9a-f]{40}) (commit|tree|blob|tag) (\d+)$/;
const NO_CONTENT = Buffer.alloc(0);

/** Thrown if the process died twice while it answered this request. */
export class CatFileFailed extends Error {}

/**
 * One long-lived `git cat-file --batch-command` process for one repository. Requests are written at once and answered
 * in order. If the process dies it is restarted; only the request that it died on counts an attempt, the rest are sent
 * again.
 */
export class CatFile {
  private child: ChildProcessWithoutNullStreams | null = null;
  private pending: Request[] = [];
  private queue = new ByteQueue();
  private header: ObjectInfo | null = null;
  private isClosed = false;
  private outbox = '';
  /** Milliseconds since the epoch. */
  lastUsedAt = Date.now();

  constructor(
    private readonly repository: string,
    private readonly onIdle: () => void = () => undefined,
  ) {}

  get load(): number {
    return this.pending.length;
  }

  /** @param name an object id or expression without control characters; null if there is no such object */
  info(name: string): Promise<ObjectInfo | null> {
    return this.request(`info ${name}\n`, false);
  }

  /** Like {@link info}, with the whole content in memory: only for objects that are known to be small. */
  contents(name: string): Promise<GitObject | null> {
    return this.request(`contents ${name}\n`, true);
  }

  /** Ends the process after the pending requests are answered. */
  close(): void {
    this.isClosed = true;
    if (this.pending.length === 0) this.child?.stdin.end();
  }

  private request(line: string, wantsContent: boolean): Promise<GitObject | null> {
    this.lastUsedAt = Date.now();
    return new Promise((resolve, reject) => {
      this.send({ line, wantsContent, attempts: 0, resolve, reject });
    });
  }

  private send(request: Request): void {
    try {
      this.child ??= this.start();
    } catch (error) {
      request.reject(error as Error);
      return;
    }
    this.pending.push(request);
    // One write for all requests of an event loop turn: the pipe is the bottleneck, not git.
    if (this.outbox === '') setImmediate(() => this.flush());
    this.outbox += request.line;
  }

  private flush(): void {
    this.child?.stdin.write(this.outbox);
    this.outbox = '';
  }

  private start(): ChildProcessWithoutNullStreams {
    const child = spawnGit([`--git-dir=${this.repository}`, 'cat-file', '--batch-command'], gitEnvironment());
    this.queue = new ByteQueue();
    this.header = null;
    child.stderr.resume();
    child.stdout.on('data', (chunk: Buffer) => {
      this.queue.push(chunk);
      this.answer();
    });
    child.once('error', () => this.restart(child));
    child.once('close', () => this.restart(child));
    return child;
  }

  private answer(): void {
    while (this.pending.length > 0 && this.answerOne());
    if (this.pending.length > 0) return;
    if (this.isClosed) this.child?.stdin.end();
    this.onIdle();
  }

  /** @returns false if the answer is incomplete */
  private answerOne(): boolean {
    const [request] = this.pending;
    if (!request) return false;
    if (!this.header) {
      const line = this.queue.takeLine();
      if (!line) return false;
      const [, id, type, size] = FOUND.exec(line.toString('latin1')) ?? [];
      if (id === undefined) return this.settle(null);
      this.header = { id, type: type as ObjectType, sizeBytes: Number(size) };
    }
    if (!request.wantsContent) return this.settle({ ...this.header, content: NO_CONTENT });
    const bytes = this.queue.take(this.header.sizeBytes + 1);
    if (!bytes) return false;
    return this.settle({ ...this.header, content: bytes.subarray(0, -1) });
  }

  private settle(object: GitObject | null): true {
    this.header = null;
    this.pending.shift()?.resolve(object);
    return true;
  }

  private restart(child: ChildProcessWithoutNullStreams): void {
    if (this.child !== child) return;
    this.child = null;
    this.outbox = '';
    const unanswered = this.pending;
    this.pending = [];
    const [suspect] = unanswered;
    if (suspect && ++suspect.attempts >= 2) {
      unanswered.shift();
      suspect.reject(new CatFileFailed(suspect.line.trim()));
    }
    for (const request of unanswered) this.send(request);
    if (this.pending.length === 0) this.onIdle();
  }
}
