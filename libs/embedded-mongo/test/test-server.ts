import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Db, MongoClient, type MongoClientOptions } from 'mongodb';
import { MongoServer, type ServerOptions } from '../src';

/** One line the server logged. */
export interface LogLine {
  event: string;
  details: Record<string, unknown>;
}

/** A server in this process with its own folder, and the official driver connected to it. */
export class TestServer {
  readonly log: LogLine[] = [];
  private readonly clients: MongoClient[] = [];

  private constructor(
    readonly folder: string,
    private server: MongoServer,
  ) {}

  static async start(options: Partial<ServerOptions> = {}): Promise<TestServer> {
    const folder = mkdtempSync(join(tmpdir(), 'embedded-mongo-test-'));
    const log: LogLine[] = [];
    const server = await MongoServer.start(optionsFor(folder, log, options));
    const started = new TestServer(folder, server);
    started.log.push(...log);
    return Object.assign(started, { log });
  }

  get uri(): string {
    return this.server.uri;
  }

  async connect(options: MongoClientOptions = {}): Promise<MongoClient> {
    const client = new MongoClient(this.uri, { serverSelectionTimeoutMS: 5000, ...options });
    this.clients.push(client);
    return client.connect();
  }

  /** A database of the given name, on a separate connection. */
  async database(name: string): Promise<Db> {
    return (await this.connect()).db(name);
  }

  /** Stops the server and starts another with the same folder. */
  async restart(options: Partial<ServerOptions> = {}): Promise<void> {
    await this.disconnect();
    await this.server.close();
    this.server = await MongoServer.start(optionsFor(this.folder, this.log, options));
  }

  /** Deletes documents that have expired by `now`, without waiting for the periodic job. */
  expire(now: Date): Promise<void> {
    return this.server.expireDocuments(now);
  }

  private async disconnect(): Promise<void> {
    for (const client of this.clients.splice(0)) await client.close();
  }

  async stop(): Promise<void> {
    await this.disconnect();
    await this.server.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

function optionsFor(folder: string, log: LogLine[], options: Partial<ServerOptions>): ServerOptions {
  return {
    dbPath: join(folder, 'data'),
    listen: { socketPath: join(folder, 'socket', 'mongo.sock') },
    sortMemoryBytes: 100 * 1024 * 1024,
    // No test crashes the machine.
    fsync: false,
    log: (event, details = {}) => log.push({ event, details }),
    onFailure: (error) => {
      throw error;
    },
    ...options,
  };
}
