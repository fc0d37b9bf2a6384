import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { findFreePort } from '@moothall/infrastructure';
import { identifyProcess, removeAbandonedFolders, removeTemporaryFolder, temporaryFolder } from '@moothall/processes';

export interface Connection {
  url: string;
  token: string;
  username: string;
  password: string;
  pid: number;
  mongodb_uri: string;
  nats_url: string;
  redis_url: string;
  registry_url: string | null;
}

/** A supervisor in a separate process, on its own data folder and port. */
export class ServerUnderTest {
  output = '';
  private process: ChildProcess | undefined;
  private exit: Promise<number | null> = Promise.resolve(null);
  private readonly seenPids = new Set<number>();

  private constructor(
    private readonly main: string,
    readonly dataFolder: string,
    readonly port: number,
  ) {}

  static async on(main: string): Promise<ServerUnderTest> {
    await removeAbandonedFolders();
    return new ServerUnderTest(main, temporaryFolder('standalone'), await findFreePort());
  }

  /** Starts without waiting; `untilReady` or `untilExit` give the result. */
  launch(env: Record<string, string> = {}, args: readonly string[] = []): void {
    this.output = '';
    const child = spawn(process.execPath, [this.main, ...args], {
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      env: {
        ...process.env,
        PORT: String(this.port),
        SSH_PORT: '0',
        REGISTRY_PORT: '0',
        MOOTHALL_DATA_DIR: this.dataFolder,
        ...env,
      },
    });
    for (const stream of [child.stdout, child.stderr]) {
      stream!.on('data', (chunk) => {
        this.output += chunk;
      });
    }
    this.process = child;
    this.exit = once(child, 'close').then(([code]) => code);
  }

  async untilReady(): Promise<Connection> {
    let connection: Connection | undefined;
    await until(() => {
      connection = this.readConnection();
      return connection !== undefined || this.process?.exitCode != null;
    });
    if (!connection) throw new Error(`the server ended at its start:\n${this.output}`);
    this.notePids();
    return connection;
  }

  async start(env: Record<string, string> = {}, args: readonly string[] = []): Promise<Connection> {
    this.launch(env, args);
    return this.untilReady();
  }

  signal(name: NodeJS.Signals): void {
    this.notePids();
    this.process?.kill(name);
  }

  /** Like the end of the parent process. */
  disconnect(): void {
    this.notePids();
    // Node emits no "close" for a child whose channel was closed by the parent.
    this.exit = once(this.process!, 'exit').then(([code]) => code);
    this.process?.stdout?.destroy();
    this.process?.stderr?.destroy();
    this.process?.disconnect();
  }

  untilExit(): Promise<number | null> {
    return this.exit;
  }

  async stop(): Promise<number | null> {
    this.signal('SIGTERM');
    return this.exit;
  }

  /** Process id of the current process with a name, or undefined. */
  pidOf(name: string): number | undefined {
    return readJson<{ pid: number }>(path.join(this.dataFolder, 'run', `${name}.pid`))?.pid;
  }

  /** All processes that ever ran and are still running. */
  livingPids(): number[] {
    this.notePids();
    return [...this.seenPids].filter(isAlive);
  }

  async remove(): Promise<void> {
    this.signal('SIGTERM');
    await this.exit;
    for (const pid of this.livingPids()) process.kill(pid, 'SIGKILL');
    await removeTemporaryFolder(this.dataFolder);
  }

  /** Not the file of an earlier process, which a kill leaves behind. */
  private readConnection(): Connection | undefined {
    const connection = readJson<Connection>(path.join(this.dataFolder, 'connection.json'));
    return connection?.pid === this.process?.pid ? connection : undefined;
  }

  private notePids(): void {
    const folder = path.join(this.dataFolder, 'run');
    for (const file of existsSync(folder) ? readdirSync(folder) : []) {
      const pid = file.endsWith('.pid') ? this.pidOf(path.basename(file, '.pid')) : undefined;
      if (pid !== undefined) this.seenPids.add(pid);
    }
  }
}

/** Undefined if it is missing or incomplete: other processes write and remove it. */
function readJson<T>(file: string): T | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

/** A zombie counts as ended. */
export function isAlive(pid: number): boolean {
  return identifyProcess(pid) !== undefined;
}

export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 60_000;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`not within 60 s: ${condition}`);
    await delay(10);
  }
}
