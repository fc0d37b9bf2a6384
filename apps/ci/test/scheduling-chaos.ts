import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import path from 'node:path';
import {
  natsUrl,
  type Placement,
  type RunningProgram,
  recoveryPace,
  redisUrl,
  startEmbeddedMongo,
  startNats,
  startOnFreePort,
  startRedis,
} from '@moothall/infrastructure';
import { connectNats } from '@moothall/messaging';
import { removeAbandonedFolders, removeTemporaryFolder, temporaryFolder } from '@moothall/processes';
import { StubServices } from '@moothall/testing';
import { type Connection, createConnection, type Model } from 'mongoose';
import type { NatsConnection } from 'nats';
import { type Pipeline, pipelineSchema } from '../src/pipeline/pipeline.schema';
import { type PipelineSchedule, scheduleSchema } from '../src/schedule/schedule.schema';
import { nextRunOf } from '../src/schedule/schedule-rules';
import { CiStubServices } from './ci-stub-services';

const password = 'of-the-chaos-test';

/** Workers of the ci service in separate processes, with infrastructure that can be killed and restarted. */
export class SchedulingChaos {
  private readonly workers = new Set<ChildProcess>();
  private readonly place: Placement;
  private nats!: { port: number; program: RunningProgram };
  private redis!: { port: number; program: RunningProgram };
  private mongodb!: { program: RunningProgram; uri: string };
  private connection!: NatsConnection;
  private database!: Connection;
  stubs!: CiStubServices;
  schedules!: Model<PipelineSchedule>;
  pipelines!: Model<Pipeline>;

  private constructor(private readonly folder: string) {
    this.place = { dataFolder: folder, logFolder: folder, runFolder: folder };
  }

  static async start(): Promise<SchedulingChaos> {
    await removeAbandonedFolders();
    const chaos = new SchedulingChaos(temporaryFolder('chaos'));
    chaos.nats = await startOnFreePort((port) => startNats(chaos.place, port, password));
    chaos.redis = await startOnFreePort((port) => startRedis(chaos.place, port, password));
    chaos.mongodb = await startEmbeddedMongo(chaos.place);
    chaos.connection = await connectNats(natsUrl(chaos.nats.port, password), 'chaos');
    const stubs = new StubServices(chaos.connection);
    chaos.stubs = new CiStubServices((operation, answer) => stubs.respond(operation, answer));
    chaos.database = await createConnection(chaos.mongodb.uri, { dbName: 'chaos_ci' }).asPromise();
    chaos.schedules = chaos.database.model<PipelineSchedule>('PipelineSchedule', scheduleSchema);
    chaos.pipelines = chaos.database.model<Pipeline>('Pipeline', pipelineSchema);
    await Promise.all([chaos.schedules.init(), chaos.pipelines.init()]);
    return chaos;
  }

  /** That many schedules in ten projects, all due at the same time. */
  async scheduleAll(count: number, dueAt: Date): Promise<void> {
    const owner = this.stubs.user('owner');
    const projects = Array.from({ length: 10 }, () => this.stubs.project());
    for (const project of projects) this.stubs.setLevel(owner, project, 30);
    const plan = { description: 'chaos', cron: '0 4 1 1 *', cronTimezone: 'UTC' };
    // An invalid plan fails here, not in the workers.
    nextRunOf(plan, dueAt);
    const documents = Array.from({ length: count }, (_, index) => ({
      _id: index + 1,
      ...plan,
      projectId: projects[index % projects.length]!.id,
      ref: 'main',
      isActive: true,
      ownerId: owner.id,
      nextRunAt: dueAt,
      variables: [],
    }));
    for (let at = 0; at < count; at += 1000) await this.schedules.insertMany(documents.slice(at, at + 1000));
  }

  async startWorker(): Promise<ChildProcess> {
    const worker = fork(path.resolve(__dirname, '../dist/main.js'), [], {
      execArgv: ['--enable-source-maps'],
      env: { ...process.env, ...this.settings },
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    this.workers.add(worker);
    await once(worker, 'message');
    return worker;
  }

  private get settings(): Record<string, string> {
    return {
      MONGODB_URI: this.mongodb.uri,
      MONGODB_PREFIX: 'chaos',
      NATS_URL: natsUrl(this.nats.port, password),
      REDIS_URL: redisUrl(this.redis.port, password),
      EXTERNAL_URL: 'http://moothall.test',
      SECRET_KEY: 'a secret key of the tests, long enough',
      TICKET_KEY: 'a ticket key of the tests, long enough',
      LOG_LEVEL: 'fatal',
      RECOVERY_PACE: recoveryPace,
      ROLES: 'worker',
      OBJECT_STORAGE_DIR: this.folder,
    };
  }

  async kill(worker: ChildProcess): Promise<void> {
    const exited = once(worker, 'exit');
    worker.kill('SIGKILL');
    await exited;
    this.workers.delete(worker);
  }

  /** Kills Redis and starts it empty. */
  async loseRedis(): Promise<void> {
    await this.redis.program.stop(0);
    rmSync(path.join(this.folder, 'redis'), { recursive: true, force: true });
    this.redis.program = await startRedis(this.place, this.redis.port, password);
  }

  /** Kills NATS and starts it with its data. */
  async restartNats(): Promise<void> {
    await this.nats.program.stop(0);
    this.nats.program = await startNats(this.place, this.nats.port, password);
  }

  /** Schedules that were not triggered yet; by the index, since a scan would slow down the measurement. */
  waiting(dueAt: Date): Promise<number> {
    return this.schedules.countDocuments({ isActive: true, nextRunAt: { $lte: dueAt } });
  }

  async stop(): Promise<void> {
    await Promise.all([...this.workers].map((worker) => this.kill(worker)));
    await this.database?.close();
    await this.connection?.close();
    const programs = [this.nats?.program, this.redis?.program, this.mongodb?.program];
    await Promise.all(programs.map((program) => program?.stop()));
    await removeTemporaryFolder(this.folder);
  }
}

const waitMs = 170_000;

/** Resolves once `probe` is true; like `eventually` of libs/testing, with a timeout for tests of full size. */
export async function until(probe: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + waitMs;
  while (!(await probe())) {
    if (Date.now() > deadline) throw new Error(`the test did not end within ${waitMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}
