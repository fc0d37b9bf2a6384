import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createGunzip } from 'node:zlib';
import { git, gitText } from './git/build-repository';

/** A user who may read all repositories of the primary. */
const credentials = 'follower:pass-word';

/** A primary site: git's own server programs behind HTTP, with faults that a test can enable. */
export class PrimarySite {
  private readonly folder = mkdtempSync(path.join(tmpdir(), 'moothall-primary-'));
  /** Changes the handling of a request for a repository. @returns true if git should answer it nevertheless */
  readonly meddlers = new Map<string, (request: IncomingMessage, response: ServerResponse) => unknown>();

  private constructor(private readonly server: Server) {
    server.on('request', (request, response) => void this.answer(request, response));
  }

  static async start(): Promise<PrimarySite> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new PrimarySite(server);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  urlOf(name: string, who = credentials): string {
    return this.url.replace('://', `://${who}@`).concat(`/group/${name}.git`);
  }

  repository(name: string): string {
    return path.join(this.folder, `${name}.git`);
  }

  /** With one commit on main. */
  make(name: string): void {
    git(this.folder, ['init', '--quiet', '--bare', '--initial-branch=main', `${name}.git`]);
    this.commit(name, 'main', 'first');
  }

  /** @returns its id */
  commit(name: string, branch: string, text: string): string {
    const folder = this.repository(name);
    const blob = git(folder, ['hash-object', '-w', '--stdin'], { input: text }).toString().trim();
    const tree = git(folder, ['mktree'], { input: `100644 blob ${blob}\tfile.txt\n` })
      .toString()
      .trim();
    const before = this.refs(folder).find(({ name: ref }) => ref === `refs/heads/${branch}`)?.id;
    const id = gitText(folder, ['commit-tree', tree, '-m', text, ...(before ? ['-p', before] : [])]);
    git(folder, ['update-ref', `refs/heads/${branch}`, id]);
    return id;
  }

  /** All refs of a repository and the branch of HEAD, also for the copy. */
  refs(folder: string): { name: string; id: string }[] {
    const lines = gitText(folder, ['for-each-ref', '--format=%(objectname) %(refname)']).split('\n').filter(Boolean);
    const head = { name: 'HEAD', id: gitText(folder, ['symbolic-ref', 'HEAD']) };
    return [head, ...lines.map((line) => ({ id: line.slice(0, 40), name: line.slice(41) }))];
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url!, 'http://x');
    const [, name = '', rest] = /^\/group\/([\w.-]+)\.git(\/.*)$/.exec(pathname) ?? [];
    const isSignedIn = request.headers.authorization === `Basic ${Buffer.from(credentials).toString('base64')}`;
    const meddler = this.meddlers.get(name);
    if (meddler && (await meddler(request, response)) !== true) return;
    if (!isSignedIn) {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="primary"' }).end();
      return;
    }
    if (!existsSync(this.repository(name))) {
      response.writeHead(404).end();
      return;
    }
    this.serve(this.repository(name), rest === '/info/refs', request, response);
  }

  private serve(folder: string, isAdvertisement: boolean, request: IncomingMessage, response: ServerResponse): void {
    const protocol = request.headers['git-protocol'] as string | undefined;
    const flags = ['--stateless-rpc', ...(isAdvertisement ? ['--http-backend-info-refs'] : [])];
    const env = { PATH: process.env.PATH, GIT_CONFIG_NOSYSTEM: '1', ...(protocol && { GIT_PROTOCOL: protocol }) };
    // Hidden refs are only shown on request.
    const hides = protocol?.split(':').includes('all-refs=1') ? [] : ['-c', 'transfer.hideRefs=refs/merge-sources'];
    const child = spawn('git', [...hides, 'upload-pack', ...flags, folder], { env });
    response.setHeader('content-type', `application/x-git-upload-pack-${isAdvertisement ? 'advertisement' : 'result'}`);
    if (isAdvertisement && !protocol?.includes('version=2')) response.write('001e# service=git-upload-pack\n0000');
    const body = request.headers['content-encoding'] === 'gzip' ? request.pipe(createGunzip()) : request;
    child.stdin.on('error', () => undefined);
    body.pipe(child.stdin);
    child.stdout.pipe(response);
    response.once('close', () => child.kill());
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
