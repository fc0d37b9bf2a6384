import { readFileSync } from 'node:fs';
import {
  type Auth,
  type Authenticator,
  type ConnectionOptions,
  connect,
  credsAuthenticator,
  type NatsConnection,
} from 'nats';

export interface NatsSecurity {
  /** A NATS credentials file; overrides the credentials in the URLs. */
  credentialsFile?: string | undefined;
  /** PEM file of the authority that signed the servers' certificates. */
  caFile?: string | undefined;
}

interface NatsServer {
  host: string;
  isTls: boolean;
  login: Auth;
}

/**
 * A NATS connection that survives restarts of the server: it reconnects forever and keeps its subscriptions.
 * @param url `nats://[user:password@]host:port`, `tls://…`, or a token before the @; several are separated by commas
 * @param name shown in the server's connection list
 */
export async function connectNats(url: string, name: string, security: NatsSecurity = {}): Promise<NatsConnection> {
  const servers = url.split(',').map((one) => readServer(one.trim()));
  const options: ConnectionOptions = {
    name,
    maxReconnectAttempts: -1,
    reconnectTimeWait: 250,
    // A stack captured for every request costs more than the request.
    noAsyncTraces: true,
    // Servers are tried in the given order.
    noRandomize: true,
    ...(servers.some(({ isTls }) => isTls) && {
      tls: security.caFile === undefined ? {} : { caFile: security.caFile },
    }),
  };
  if (security.credentialsFile) {
    const authenticator = credsAuthenticator(readFileSync(security.credentialsFile));
    return connect({ ...options, servers: servers.map(({ host }) => host), authenticator });
  }
  return connectWithLogins(servers, options);
}

/** The client library has one login for all servers, and requests it at each connect, without naming the server. */
async function connectWithLogins(servers: NatsServer[], options: ConnectionOptions): Promise<NatsConnection> {
  const [one] = servers;
  const first =
    one && servers.every(({ login }) => isSame(login, one.login)) ? one : await firstThatAnswers(servers, options);
  const others = servers.filter((server) => server !== first);
  const connection: { now?: NatsConnection } = {};
  const authenticator: Authenticator = () => {
    const at = connection.now?.getServer();
    // Servers that the cluster announces share its logins.
    return (servers.find(({ host }) => host === at) ?? first).login;
  };
  connection.now = await connect({ ...options, servers: [first, ...others].map(({ host }) => host), authenticator });
  return connection.now;
}

async function firstThatAnswers(servers: NatsServer[], options: ConnectionOptions): Promise<NatsServer> {
  let failure: unknown;
  for (const server of servers) {
    try {
      const trial = await connect({ ...options, servers: server.host, authenticator: () => server.login });
      await trial.close();
      return server;
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

function readServer(address: string): NatsServer {
  const { protocol, hostname, port, username, password } = new URL(
    address.includes('://') ? address : `nats://${address}`,
  );
  const [user, pass] = [username, password].map(decodeURIComponent) as [string, string];
  const login: Auth = pass ? { user, pass } : user ? { auth_token: user } : undefined;
  return { host: `${hostname}:${port || 4222}`, isTls: protocol === 'tls:', login };
}

const isSame = (one: Auth, other: Auth): boolean => JSON.stringify(one) === JSON.stringify(other);
