import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { lfsLocksOfOthers } from '@moothall/contracts';
import { startTestInfrastructure, type TestInfrastructure } from '@moothall/infrastructure';
import { connectNats, ensureEventStream, OperationClient } from '@moothall/messaging';
import { StubServices } from '@moothall/testing';
import type { NatsConnection } from 'nats';
import { GitRunner } from '../src/git/process/run-git';
import { RepositoryStorage } from '../src/git/storage/storage';

/** The repository service in separate processes, each with storages of its own, which may be killed. */
export class RepositoryProcesses {
  private readonly processes = new Set<ChildProcess>();
  readonly folder = mkdtempSync(path.join(tmpdir(), 'moothall-processes-'));

  private constructor(
    private readonly infrastructure: TestInfrastructure,
    private readonly connection: NatsConnection,
    private readonly settings: Record<string, string>,
    readonly client = new OperationClient(connection),
    private readonly stubs = new StubServices(connection),
  ) {
    stubs.respond(lfsLocksOfOthers, () => []);
  }

  static async prepare(settings: Record<string, string> = {}): Promise<RepositoryProcesses> {
    const infrastructure = await startTestInfrastructure();
    const connection = await connectNats(infrastructure.natsUrl, 'test');
    await ensureEventStream(await connection.jetstreamManager());
    return new RepositoryProcesses(infrastructure, connection, settings);
  }

  /** Answers an operation of a stub service. */
  respond: StubServices['respond'] = (operation, answer) => this.stubs.respond(operation, answer);

  /** Starts one that owns these storages. */
  async start(...storages: string[]): Promise<ChildProcess> {
    const child = fork(path.resolve(__dirname, '../dist/main.js'), [], {
      execArgv: ['--enable-source-maps'],
      env: { ...process.env, ...this.environment(storages) },
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    this.processes.add(child);
    const ended = once(child, 'exit').then(([code]) => {
      throw new Error(`the process ended with ${code} at its start`);
    });
    await Promise.race([once(child, 'message'), ended]);
    return child;
  }

  private environment(storages: string[]): Record<string, string> {
    const { mongodbUri, mongodbPrefix, natsUrl, redisUrl } = this.infrastructure;
    return {
      MONGODB_URI: mongodbUri,
      MONGODB_PREFIX: mongodbPrefix,
      NATS_URL: natsUrl,
      REDIS_URL: redisUrl,
      EXTERNAL_URL: 'http://moothall.test',
      SECRET_KEY: 'a secret key of the tests, long enough',
      TICKET_KEY: 'a ticket key of the tests, long enough',
      LOG_LEVEL: 'fatal',
      GIT_STORAGES: storages.map((name) => `${name}=${this.folder}/${name}`).join(','),
      ...this.settings,
    };
  }

  /** Path of a project's repository, which may not exist. */
  repositoryOn(storage: string, projectId: number, kind: 'code' | 'wiki' = 'code'): string {
    return new RepositoryStorage(storage, path.join(this.folder, storage), new GitRunner()).path(projectId, kind);
  }

  /** kill -9; its git processes end by themselves when their streams close. */
  async kill(child: ChildProcess): Promise<void> {
    const exited = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : undefined;
    child.kill('SIGKILL');
    await exited;
    this.processes.delete(child);
  }

  async stop(): Promise<void> {
    await Promise.all([...this.processes].map((child) => this.kill(child)));
    await this.connection.close();
    await this.infrastructure.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
