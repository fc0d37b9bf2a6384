import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { LookupAddress } from 'node:dns';
import { Agent } from 'node:http';
import { type Socket, setDefaultAutoSelectFamilyAttemptTimeout } from 'node:net';
import type { Duplex } from 'node:stream';
import { type PrepareRequestFunctionOpts, type PrepareRequestFunctionResult, RequestError, Server } from 'proxy-chain';
import { OutboundBlocked, permittedAddresses } from './permitted-addresses';
import { pinnedTo } from './pinned-to';
import type { OutboundPolicy } from './policy';

/** When a connection without traffic is closed. */
const patience = {
  /** git sends something every few seconds, except while it prepares a push. */
  silentMs: 600_000,
  /** The remote has closed the connection: its answer may still be on its way, or was invalid. */
  endedMs: 60_000,
};
/** Time for each address of a host with several; Node's default of 250 ms is too short for distant ones. */
const connectWithinMs = 5000;

/**
 * An HTTP proxy on the loopback interface for programs that open connections themselves, as git does. It checks the
 * destination of each connection and each redirect. Only clients with its secret may use it.
 */
export class OutboundProxy {
  private readonly secret = randomBytes(24).toString('hex');
  private server?: Promise<Server> | undefined;

  constructor(
    private readonly policy: () => Promise<OutboundPolicy>,
    private readonly waits = patience,
  ) {}

  /** @returns its address with name and password, for `http.proxy` and the like */
  async listen(): Promise<string> {
    this.server ??= this.start();
    const { port } = await this.server;
    return `http://git:${this.secret}@127.0.0.1:${port}`;
  }

  private async start(): Promise<Server> {
    setDefaultAutoSelectFamilyAttemptTimeout(connectWithinMs);
    const server = new Server({
      host: '127.0.0.1',
      port: 0,
      authRealm: 'git',
      prepareRequestFunction: (asked) => this.prepare(asked),
    });
    await server.listen();
    return server;
  }

  private async prepare(asked: PrepareRequestFunctionOpts): Promise<PrepareRequestFunctionResult> {
    const client = asked.request.socket;
    client.setTimeout(this.waits.silentMs);
    if (!this.isKnown(asked.password)) return { requestAuthentication: true };
    const addresses = await this.addressesOf(asked.hostname, asked.port);
    return { httpAgent: new OneConnection(client, this.waits.endedMs), dnsLookup: pinnedTo(addresses) };
  }

  private async addressesOf(host: string, port: number): Promise<LookupAddress[]> {
    try {
      return await permittedAddresses(await this.policy(), host, port);
    } catch (error) {
      if (error instanceof OutboundBlocked) throw new RequestError(error.message, 403);
      throw new RequestError('The address cannot be resolved', 502);
    }
  }

  private isKnown(password: string): boolean {
    const [given, expected] = [Buffer.from(password), Buffer.from(this.secret)];
    return given.length === expected.length && timingSafeEqual(given, expected);
  }

  async close(): Promise<void> {
    const server = await this.server;
    this.server = undefined;
    await server?.close(true);
  }
}

/** Opens one connection: a pooled one would outlive its policy. */
class OneConnection extends Agent {
  constructor(
    private readonly client: Socket,
    private readonly endedMs: number,
  ) {
    super({ keepAlive: false });
  }

  override createConnection(...args: Parameters<Agent['createConnection']>): Duplex | null | undefined {
    const remote = super.createConnection(...args);
    // The library does not answer the client if a response cannot be passed on, such as one with invalid headers.
    remote?.once('close', () => this.client.setTimeout(this.endedMs));
    return remote;
  }
}
