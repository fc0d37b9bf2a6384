import { mkdirSync, rmSync, statSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { dirname } from 'node:path';
import { readCredentials } from './auth/read-credentials';
import type { Credentials } from './auth/scram';
import { CommandDispatcher } from './command/dispatch';
import { ServerState } from './command/server-state';
import { Engine } from './engine/engine';
import type { EngineOptions } from './engine/options';
import type { Client } from './protocol/client';
import { Connection } from './protocol/connection';

export interface ServerOptions extends EngineOptions {
  /** Where to listen: a socket in a folder with mode 0700, or a port of the loopback interface. */
  listen: { socketPath: string } | { port: number };
  /** Does not delete documents of TTL indexes, except by `expireDocuments`, so that a copied folder stays unchanged. */
  keepsExpired?: boolean | undefined;
}

/** A running server. */
export class MongoServer {
  private readonly connections = new Set<Connection>();
  private lastClientId = 0;

  private constructor(
    private readonly state: ServerState,
    private readonly dispatcher: CommandDispatcher,
    private readonly listener: Server,
    /** The connection string for drivers. */
    readonly uri: string,
  ) {}

  /** @throws Error with one clear line when the folder or the address cannot be used */
  static async start(options: ServerOptions): Promise<MongoServer> {
    const isTcp = 'port' in options.listen;
    const credentials = isTcp ? readCredentials(options.dbPath) : undefined;
    const state = new ServerState(new Engine(options), credentials);
    try {
      const listener = createServer();
      const uri = await listen(listener, options.listen, credentials);
      const server = new MongoServer(state, new CommandDispatcher(state), listener, uri);
      if (!options.keepsExpired) state.expiry.start();
      listener.on('connection', (socket) => server.accept(socket));
      return server;
    } catch (error) {
      await state.close();
      throw error;
    }
  }

  private accept(socket: Socket): void {
    const client: Client = { id: ++this.lastClientId, isAuthenticated: this.state.secret === undefined };
    const connection = new Connection(socket, client, this.dispatcher);
    this.connections.add(connection);
    this.state.clients.add(client);
    socket.on('close', () => {
      this.connections.delete(connection);
      this.state.clients.delete(client);
    });
  }

  /** Deletes documents of TTL indexes that have expired by `now`; runs automatically every minute. */
  expireDocuments(now: Date): Promise<void> {
    return this.state.expiry.removeExpired(now);
  }

  /** Answers pending requests, then closes connections and folder. */
  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.listener.close(() => resolve()));
    this.dispatcher.interrupt();
    for (const connection of this.connections) connection.close();
    await closed;
    await this.state.close();
  }
}

async function listen(server: Server, where: ServerOptions['listen'], credentials?: Credentials): Promise<string> {
  if ('socketPath' in where) {
    const { socketPath } = where;
    prepareSocketFolder(socketPath);
    await bound(server, { path: socketPath });
    return `mongodb://${encodeURIComponent(socketPath)}/`;
  }
  await bound(server, { port: where.port, host: '127.0.0.1' });
  const { port } = server.address() as { port: number };
  const { username, password } = credentials!;
  return `mongodb://${username}:${password}@127.0.0.1:${port}/?authMechanism=SCRAM-SHA-256&authSource=admin`;
}

/** The kernel's limit, on macOS even less than on Linux. */
const MAX_SOCKET_PATH_BYTES = 103;

/**
 * The folder's mode is the only access control of a socket. A socket left by a kill is removed: the data folder is
 * ours.
 */
function prepareSocketFolder(socketPath: string): void {
  if (Buffer.byteLength(socketPath) > MAX_SOCKET_PATH_BYTES) {
    throw new Error(
      `the socket path ${socketPath} is longer than ${MAX_SOCKET_PATH_BYTES} bytes; choose another with --socket`,
    );
  }
  const folder = dirname(socketPath);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const mode = statSync(folder).mode & 0o777;
  if (mode & 0o077) {
    throw new Error(`others may enter ${folder} (mode ${mode.toString(8)}); a socket needs a folder of mode 700`);
  }
  rmSync(socketPath, { force: true });
}

function bound(server: Server, address: { path: string } | { port: number; host: string }): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(address, () => {
      server.off('error', reject);
      resolve();
    });
  });
}
