import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Readable } from 'node:stream';
import {
  type OutboundAnswer,
  OutboundBlocked,
  OutboundPolicies,
  type OutboundPolicy,
  OutboundProxy,
  permittedAddresses,
  sendRequest,
  streamRequest,
} from '@moothall/outbound';
import { removeTemporaryFolder, temporaryFolder } from '@moothall/processes';
import { settingsToken } from '@moothall/service';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { GitError } from '../git/process/errors';
import { parseAdvertisement } from '../git/transport/advertised-refs';
import { allRefsParameter } from '../git/transport/all-refs';
import type { RefSnapshot } from '../git/transport/copy';
import type { RemoteRoute } from '../git/transport/remote-address';
import type { RepositorySettings } from '../settings/settings';

/**
 * The program that git runs to reach a server over ssh or git's own protocol: `connect host port`, through the proxy.
 */
const connectProgram = `
const net = require('node:net');
const { hostname, port, username, password } = new URL(process.env.MOOTHALL_PROXY);
const target = process.argv[2] + ':' + process.argv[3];
const sign = Buffer.from(username + ':' + password).toString('base64');
const socket = net.connect(Number(port), hostname, () => {
  socket.write('CONNECT ' + target + ' HTTP/1.1\\r\\nHost: ' + target + '\\r\\nProxy-Authorization: Basic ' + sign + '\\r\\n\\r\\n');
});
let head = Buffer.alloc(0);
const read = (chunk) => {
  head = Buffer.concat([head, chunk]);
  const end = head.indexOf('\\r\\n\\r\\n');
  if (end < 0) return;
  socket.off('data', read);
  if (!/^HTTP\\/1.1 200/.test(head.toString('latin1'))) {
    process.stderr.write('Received HTTP code ' + head.toString('latin1').slice(9, 12) + ' from proxy after CONNECT\\n');
    process.exit(1);
  }
  process.stdout.write(head.subarray(end + 4));
  socket.pipe(process.stdout);
  process.stdin.pipe(socket);
};
socket.on('data', read);
socket.on('error', (error) => { process.stderr.write(error.message + '\\n'); process.exit(1); });
socket.on('close', () => process.exit(0));
`;

/** About a million refs with long names. */
const mostBytesOfRefs = 128 * 1024 ** 2;
const tooLong = 'it took too long';
const notGit = 'the primary does not answer as git does';
/** A source that is silent for so long is aborted; git sends a keepalive every few seconds. */
const silenceMs = 120_000;
/** Timers may fire slightly early. */
const isLate = (until: number): boolean => performance.now() > until - 20;

const defaultPorts: Record<string, number> = { 'http:': 80, 'https:': 443, 'git:': 9418, 'ssh:': 22 };
const portOf = ({ port, protocol }: URL): number => Number(port || (defaultPorts[protocol] ?? 0));

/** Outgoing connections of git: every connection, including redirects, is checked when it is made. */
@Injectable()
export class GitOutbound implements OnApplicationShutdown {
  private readonly proxy: OutboundProxy;
  /** The primary site may be in the local network: its operator configured the address. */
  private readonly toPrimary: OutboundProxy;
  private readonly primary: URL | undefined;
  private readonly primaryPolicy: OutboundPolicy;
  private folder?: string;
  private connect?: string;

  constructor(
    private readonly policies: OutboundPolicies,
    @Inject(settingsToken) { GEO_PRIMARY_URL }: RepositorySettings,
  ) {
    this.primary = GEO_PRIMARY_URL === undefined ? undefined : new URL(GEO_PRIMARY_URL);
    const allowed = this.primary ? [`${this.primary.hostname}:${portOf(this.primary)}`] : [];
    this.primaryPolicy = { allowsLocal: false, allowed };
    this.proxy = new OutboundProxy(() => policies.ofServices());
    this.toPrimary = new OutboundProxy(async () => this.primaryPolicy);
  }

  /** Checks a URL early; the proxy decides. */
  async isPermitted(url: URL): Promise<boolean> {
    return permittedAddresses(await this.policies.ofServices(), url.hostname, portOf(url)).then(
      () => true,
      // A name that does not resolve now may do so later; if not, git reports it.
      (error) => !(error instanceof OutboundBlocked),
    );
  }

  async route(): Promise<RemoteRoute> {
    const proxy = await this.proxy.listen();
    const connect = this.connectCommand();
    return {
      config: { 'http.proxy': proxy, 'http.proxyAuthMethod': 'basic', 'core.gitProxy': connect },
      env: { MOOTHALL_PROXY: proxy },
      sshProxyCommand: `${connect} %h %p`,
    };
  }

  /** Whether a URL belongs to the primary site. */
  isOfPrimary(url: URL): boolean {
    if (!this.primary || url.origin !== this.primary.origin) return false;
    const { pathname } = this.primary;
    return url.pathname.startsWith(pathname.endsWith('/') ? pathname : `${pathname}/`);
  }

  /** The route to the primary, for http and https. */
  async routeToPrimary(): Promise<RemoteRoute> {
    const proxy = await this.toPrimary.listen();
    return { config: { 'http.proxy': proxy, 'http.proxyAuthMethod': 'basic' }, env: {} };
  }

  /**
   * All refs that the primary advertises for a repository.
   * @throws replica_source_missing, replica_failed
   */
  async refsOf(repository: URL, timeoutMs: number): Promise<RefSnapshot> {
    const url = new URL(repository);
    url.pathname += '/info/refs';
    url.search = '?service=git-upload-pack';
    const until = performance.now() + timeoutMs;
    const answer = await sendRequest({
      method: 'GET',
      url,
      headers: { 'git-protocol': allRefsParameter },
      body: '',
      verifiesTls: true,
      policy: this.primaryPolicy,
      timeoutMs,
      mostBytes: mostBytesOfRefs,
    }).catch((error: Error) => {
      throw new GitError('replica_failed', isLate(until) ? tooLong : error.message);
    });
    const found = refsIn(answer);
    if (!found) throw new GitError('replica_failed', isLate(until) ? tooLong : notGit);
    return found;
  }

  /** The requested objects of the primary. @throws replica_source_missing, replica_failed; errors of the reader */
  async packOf<T>(
    repository: URL,
    body: string,
    use: (answer: Readable) => Promise<T>,
    signal: AbortSignal,
  ): Promise<T> {
    const url = new URL(repository);
    url.pathname += '/git-upload-pack';
    const wanted = {
      method: 'POST',
      url,
      headers: { 'git-protocol': allRefsParameter, 'content-type': 'application/x-git-upload-pack-request' },
      body,
      verifiesTls: true,
      policy: this.primaryPolicy,
      idleMs: silenceMs,
      signal,
    };
    return streamRequest(wanted, async (answer) => {
      requireAnswered(answer.statusCode ?? 0);
      if (answer.headers['content-type'] !== 'application/x-git-upload-pack-result')
        throw new GitError('replica_failed', notGit);
      return use(answer);
    }).catch((error: Error) => {
      throw error instanceof GitError ? error : new GitError('replica_failed', error.message);
    });
  }

  private connectCommand(): string {
    if (this.connect) return this.connect;
    this.folder = temporaryFolder('connect');
    const program = path.join(this.folder, 'connect.js');
    const command = path.join(this.folder, 'connect');
    writeFileSync(program, connectProgram, { mode: 0o600 });
    writeFileSync(command, `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`, { mode: 0o700 });
    this.connect = command;
    return command;
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.proxy.close(), this.toPrimary.close()]);
    if (this.folder) await removeTemporaryFolder(this.folder);
  }
}

/** @returns null if it is not a complete answer of git */
function refsIn({ status, headers, body }: OutboundAnswer): RefSnapshot | null {
  requireAnswered(status);
  if (headers['content-type'] !== 'application/x-git-upload-pack-advertisement') return null;
  try {
    return parseAdvertisement(body);
  } catch {
    return null;
  }
}

function requireAnswered(status: number): void {
  if (status === 404) throw new GitError('replica_source_missing');
  if (status === 401 || status === 403) throw new GitError('replica_failed', 'the primary refuses the credentials');
  if (status !== 200) throw new GitError('replica_failed', `the primary answers ${status} to git`);
}
