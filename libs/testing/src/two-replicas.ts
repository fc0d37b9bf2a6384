import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { openTestBed, type TestBed } from './test-bed';

/** One process of a service. */
export class Replica {
  private constructor(private readonly child: ChildProcess) {}

  /** @param program the service's built `main.js` */
  static fork(program: string, env: Record<string, string>): Replica {
    const child = fork(program, [], {
      execArgv: ['--enable-source-maps'],
      env: { ...process.env, ...env },
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    return new Replica(child);
  }

  /** Resolves once it serves. @throws when it ended instead */
  async isReady(): Promise<void> {
    const ended = once(this.child, 'exit').then(() => {
      throw new Error(`the replica ended with ${this.child.exitCode ?? this.child.signalCode}`);
    });
    await Promise.race([once(this.child, 'message'), ended]);
  }

  get hasEnded(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }

  /** Without a word to anybody, as a machine that loses its power. */
  kill(): Promise<void> {
    return this.end('SIGKILL');
  }

  /** As when an operator takes it out of service. */
  terminate(): Promise<void> {
    return this.end('SIGTERM');
  }

  private async end(signal: NodeJS.Signals): Promise<void> {
    if (this.hasEnded) return;
    const ended = once(this.child, 'exit');
    this.child.kill(signal);
    await ended;
  }
}

/** Processes of a service on one test bed. */
export interface Replicas extends TestBed {
  /** One more, once it is ready. */
  startReplica(): Promise<Replica>;
}

export interface TwoReplicas extends Replicas {
  replicas: readonly [Replica, Replica];
}

/** Registers the answers of stub services, before anything is started. */
type Answer = (bed: TestBed) => void;

/**
 * Prepares processes of a service on the same MongoDB, NATS and Redis without a start. They run the built code: such
 * tests depend on the build of the service.
 * @param appFolder of the service, as in `apps/ci`
 */
export async function prepareReplicas(
  appFolder: string,
  settings: Record<string, string> = {},
  answer: Answer = () => undefined,
): Promise<Replicas> {
  const bed = await openTestBed(path.basename(appFolder), { LOG_LEVEL: 'fatal', ...settings });
  answer(bed);
  const started: Replica[] = [];
  return {
    ...bed,
    async startReplica() {
      const replica = Replica.fork(path.join(appFolder, 'dist/main.js'), bed.env);
      started.push(replica);
      await replica.isReady();
      return replica;
    },
    async stop() {
      await Promise.all(started.map((replica) => replica.kill()));
      await bed.stop();
    },
  };
}

/** Starts a service in two processes, like {@link prepareReplicas}. */
export async function startTwoReplicas(
  appFolder: string,
  settings?: Record<string, string>,
  answer?: Answer,
): Promise<TwoReplicas> {
  const prepared = await prepareReplicas(appFolder, settings, answer);
  try {
    return { ...prepared, replicas: await Promise.all([prepared.startReplica(), prepared.startReplica()]) };
  } catch (error) {
    await prepared.stop();
    throw error;
  }
}
