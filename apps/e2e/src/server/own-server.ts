import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { recoveryPace } from '@moothall/infrastructure';
import { removeTemporaryFolder, temporaryFolder } from '@moothall/processes';
import { main, onFreePort, serverArgs } from './start';

/** A missing answer is reported with its request. */
const patienceMs = 120_000;

/** A server for one test, which may be killed and started again on the same data. */
export class OwnServer {
  private pid = 0;
  private exited: Promise<unknown> = Promise.resolve();
  url = '';
  token = '';
  /** Empty without a registry program. */
  registryUrl = '';
  mongodbUri = '';
  natsUrl = '';
  sshPort = 0;
  private metricsUrl = '';
  /** Gets the server's log output. */
  onLog: (text: string) => void = () => undefined;

  /**
   * @param env added to the environment of its processes
   * @param args which processes it has
   * @param dataFolder removed when it stops
   */
  constructor(
    private readonly env: Record<string, string> = {},
    private readonly args: readonly string[] = [],
    readonly dataFolder = temporaryFolder('own'),
  ) {}

  start(): Promise<void> {
    return onFreePort((port) => this.startOn(port));
  }

  private async startOn(port: number): Promise<void> {
    const child = spawn(process.execPath, [main, ...serverArgs(), ...this.args], {
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      env: {
        PROCESSES: '2',
        RECOVERY_PACE: recoveryPace,
        ...process.env,
        PORT: String(port),
        SSH_PORT: '0',
        REGISTRY_PORT: '0',
        MOOTHALL_DATA_DIR: this.dataFolder,
        MONGODB_ENGINE: 'embedded',
        ...this.env,
      },
    });
    this.pid = child.pid!;
    this.exited = once(child, 'exit');
    let output = '';
    let isStarted = false;
    await new Promise<void>((resolve, reject) => {
      child.stdout!.on('data', (chunk) => {
        if (isStarted) this.onLog(String(chunk));
        else output += chunk;
        if (!isStarted && output.includes('Started in')) {
          isStarted = true;
          resolve();
        }
      });
      child.stderr!.on('data', (chunk) => {
        process.stderr.write(chunk);
        if (!isStarted) output += chunk;
      });
      child.once('close', () => reject(new Error(`the server ended at its start:\n${output}`)));
    });
    const connection = JSON.parse(readFileSync(path.join(this.dataFolder, 'connection.json'), 'utf8'));
    this.url = connection.url;
    this.token = connection.token;
    this.registryUrl = connection.registry_url ?? '';
    this.mongodbUri = connection.mongodb_uri;
    this.natsUrl = connection.nats_url;
    this.sshPort = connection.ssh_port;
    this.metricsUrl = connection.metrics_url;
  }

  /** Its processes, the supervisor first. */
  pids(): number[] {
    return family(this.pid);
  }

  /** The current process with a name, as `gateway-1`; undefined while it is being restarted. */
  pidOf(name: string): number | undefined {
    const folder = path.join(this.dataFolder, 'run');
    // The file name of a replacement has a number.
    const ofName = new RegExp(`^${name}(\\.\\d+)?\\.pid$`);
    const files = readdirSync(folder).flatMap((file) => (ofName.test(file) ? [path.join(folder, file)] : []));
    const changedAt = (file: string) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    const [newest] = files.sort((a, b) => changedAt(b) - changedAt(a));
    try {
      return newest && JSON.parse(readFileSync(newest, 'utf8')).pid;
    } catch {
      // It has ended, or is starting.
      return undefined;
    }
  }

  /** Names of the ready processes, with their start in seconds; without NATS, Redis and MongoDB. */
  async ready(): Promise<Map<string, number>> {
    const page = await (await fetch(this.metricsUrl, { signal: AbortSignal.timeout(patienceMs) })).text();
    const found = page.matchAll(/^process_start_time_seconds\{process="([^"]+)"\} (\S+)$/gm);
    return new Map([...found].map(([, name, began]) => [name!, Number(began)]));
  }

  /** kill -9 for all processes with some names: `registry` includes its replicas. */
  killAll(...names: string[]): void {
    const numbered = names.flatMap((name) => [name, `${name}-1`, `${name}-2`]);
    const pids = numbered.flatMap((name) => this.pidOf(name) ?? []);
    expect(pids).not.toEqual([]);
    for (const pid of pids) process.kill(pid, 'SIGKILL');
  }

  /** kill -9 for all its processes at once. */
  async kill(): Promise<void> {
    for (const pid of this.pids()) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It had already ended.
      }
    }
    await this.exited;
  }

  /** Stops it cleanly; its data folder stays. */
  async end(): Promise<void> {
    process.kill(this.pid, 'SIGTERM');
    await this.exited;
  }

  async stop(): Promise<void> {
    await this.end();
    await removeTemporaryFolder(this.dataFolder);
  }

  /** Replaces every process, one after another, as for a new version. */
  async replace(): Promise<void> {
    const replaced = new Promise<void>((resolve, reject) => {
      this.onLog = (text) => {
        if (text.includes('Every process was replaced.')) resolve();
        if (text.includes('could not be replaced')) reject(new Error(text));
      };
    });
    process.kill(this.pid, 'SIGUSR2');
    await replaced;
  }

  async api(method: string, rest: string, body?: object): Promise<unknown> {
    const response = await fetch(`${this.url}/api/v4${rest}`, {
      method,
      signal: AbortSignal.timeout(patienceMs),
      headers: { 'private-token': this.token, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${rest}: ${response.status} ${await response.text()}`);
    return response.status === 204 ? undefined : response.json();
  }
}

/** A process and its descendants, parents first. */
function family(pid: number): number[] {
  const parents = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const parent = /\) \S (\d+)/.exec(readFileSync(`/proc/${name}/stat`, 'utf8'))?.[1];
        return [{ pid: Number(name), parent: Number(parent) }];
      } catch {
        return [];
      }
    });
  const below = (one: number): number[] => [
    one,
    ...parents.filter(({ parent }) => parent === one).flatMap((child) => below(child.pid)),
  ];
  return below(pid);
}
