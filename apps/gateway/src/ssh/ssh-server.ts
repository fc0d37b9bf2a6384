import type { AddressInfo } from 'node:net';
import { redis } from '@moothall/access';
import { present } from '@moothall/contracts';
import { networkOf } from '@moothall/messaging';
import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { Redis } from 'ioredis';
import ssh2, { type AuthContext, type Client, type Connection } from 'ssh2';
import { type KeyOwner, KeyOwners } from '../git-access/key-owners';
import { type GatewaySettings, gatewaySettingsToken } from '../settings/settings';
import { fingerprintOf, provesKey } from './authenticate-key';
import { ConnectionShares } from './connection-shares';
import { storeHostKeys } from './host-keys';
import { areSameHostKeys } from './same-host-keys';
import { SshSessions } from './ssh-session';

/** The common user name; the key identifies the user. */
const userName = 'git';
const signInWithinMs = 30_000;
const maxTriesPerConnection = 10;
/** Limit of concurrent sessions on one connection, as in OpenSSH. */
const maxSessions = 10;

/** Git over SSH. Only keys are accepted, and only commands of git and git-lfs. */
@Injectable()
export class SshServer implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly log = new Logger('ssh');
  private readonly connections = new Set<Connection>();
  private readonly shares: ConnectionShares;
  private server?: ssh2.Server;

  constructor(
    @Inject(gatewaySettingsToken) private readonly settings: GatewaySettings,
    private readonly keys: KeyOwners,
    private readonly sessions: SshSessions,
    @Inject(redis) private readonly shared: Redis,
  ) {
    this.shares = new ConnectionShares(settings.SSH_SHARE);
  }

  /** Port it listens on; undefined if SSH is disabled. */
  get port(): number | undefined {
    return (this.server?.address() as AddressInfo | undefined)?.port;
  }

  async onApplicationBootstrap(): Promise<void> {
    const { SSH_PORT, SSH_HOST_KEY_DIR, SSH_MAX_CONNECTIONS, HOST } = this.settings;
    if (SSH_PORT === undefined || SSH_HOST_KEY_DIR === undefined) return;
    const hostKeys = storeHostKeys(SSH_HOST_KEY_DIR);
    this.compare(hostKeys).catch((error: unknown) => this.log.warn(`host keys were not compared: ${error}`));
    const server = new ssh2.Server({ hostKeys, ident: 'Moothall', keepaliveInterval: 30_000 }, (connection, { ip }) =>
      this.accept(connection, ip),
    );
    server.maxConnections = SSH_MAX_CONNECTIONS;
    this.server = server;
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(SSH_PORT, HOST, () => resolve());
    });
    server.on('error', (error: Error) => this.log.error(error.stack));
  }

  /** The start does not wait for Redis. */
  private async compare(hostKeys: Buffer[]): Promise<void> {
    if (await areSameHostKeys(this.shared, hostKeys)) return;
    this.log.error(
      'the host keys in SSH_HOST_KEY_DIR are not those that a gateway before has started with: clients that know one of them refuse the other, so give all gateways the same',
    );
  }

  private accept(connection: Connection, ip: string): void {
    let holder: KeyOwner | undefined;
    let tries = 0;
    // Until the user is known, the address counts: many users may share one, each with their own limit.
    let counted = `address ${networkOf(ip)}`;
    // Port scans and disconnects are normal.
    connection.on('error', () => undefined);
    if (!this.shares.take(counted)) {
      connection.end();
      return;
    }
    connection.on('close', () => this.shares.give(counted));
    // The handshake consists of many small packets each way: with Nagle's algorithm, each would wait for the other
    // side.
    (connection as Connection & Pick<Client, 'setNoDelay'>).setNoDelay(true);
    const tooSlow = setTimeout(() => connection.end(), signInWithinMs);
    this.connections.add(connection);
    connection.on('authentication', (attempt) => {
      if (++tries > maxTriesPerConnection) {
        connection.end();
        return;
      }
      this.authenticate(attempt, (proved) => {
        holder = proved;
      }).catch(() => {
        // Identity is unreachable: the client may try again.
        connection.end();
      });
    });
    connection.on('ready', () => {
      clearTimeout(tooSlow);
      this.shares.give(counted);
      const who = present(holder, 'who has signed in');
      counted = nameOf(who);
      if (!this.shares.take(counted)) {
        // Nothing was counted, so nothing is released.
        counted = '';
        connection.end();
        return;
      }
      let sessions = 0;
      connection.on('session', (accept, reject) => {
        if (sessions >= maxSessions) return reject();
        sessions++;
        const session = accept();
        session.once('close', () => sessions--);
        this.sessions.serve(session, who, ip);
      });
    });
    connection.on('close', () => {
      clearTimeout(tooSlow);
      this.connections.delete(connection);
    });
  }

  /** @param onProof called with the owner of the key after the client has proved it, before it is admitted */
  private async authenticate(attempt: AuthContext, onProof: (holder: KeyOwner) => void): Promise<void> {
    if (attempt.method !== 'publickey' || attempt.username !== userName) {
      attempt.reject(['publickey']);
      return;
    }
    const holder = await this.keys.find(fingerprintOf(attempt.key.data)).catch(() => undefined);
    const isProof = attempt.signature !== undefined;
    if (!holder || (isProof && !provesKey(attempt))) {
      attempt.reject(['publickey']);
      return;
    }
    if (isProof) onProof(holder);
    attempt.accept();
  }

  /** Accepts nothing new, and lets sessions end within the time limit of HTTP requests. */
  async onApplicationShutdown(): Promise<void> {
    const { server } = this;
    if (!server) return;
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    let timer: NodeJS.Timeout | undefined;
    const cutOff = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, this.settings.DRAIN_TIMEOUT * 1000);
    });
    await Promise.race([this.sessions.drained(), cutOff]);
    clearTimeout(timer);
    for (const connection of this.connections) connection.end();
    await closed;
  }
}

const nameOf = ({ caller, deployKey }: KeyOwner): string => (caller ? `user ${caller.id}` : `key ${deployKey?.id}`);
