import { connect, type NatsConnection } from 'nats';

/**
 * A NATS connection that outlives restarts of the server: it reconnects for ever and keeps its subscriptions.
 * @param url `nats://[user:password@]host:port`, several joined by commas for a cluster
 * @param name shown in the server's connection list
 */
export async function connectNats(url: string, name: string): Promise<NatsConnection> {
  const { username, password } = new URL(url.split(',')[0]!);
  return connect({
    servers: url.split(',').map((server) => new URL(server).host),
    ...(username && { user: decodeURIComponent(username), pass: decodeURIComponent(password) }),
    name,
    maxReconnectAttempts: -1,
    reconnectTimeWait: 250,
    // A stack captured for every request costs more than the request.
    noAsyncTraces: true,
  });
}
