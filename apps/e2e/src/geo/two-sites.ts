import { createHash } from 'node:crypto';
import path from 'node:path';
import { removeTemporaryFolder, temporaryFolder } from '@moothall/processes';
import { clientFor, uniqueName } from '../server/connection';
import { gitAsync } from '../server/git';
import { OwnServer } from '../server/own-server';
import { until } from '../server/until';
import { Cable } from './cable';
import { namesBelow } from './names-below';

const name = 'far-away';

/**
 * A primary, and a secondary that reaches it through a cable: declared by an administrator, and signed in as a node.
 */
export class TwoSites {
  readonly primary = new OwnServer();
  secondary!: OwnServer;
  cable!: Cable;
  nodeId = 0;
  readonly folder = temporaryFolder('two-sites');

  async start(): Promise<void> {
    await this.primary.start();
    this.cable = await Cable.to(Number(new URL(this.primary.url).port));
    const { GeoNodes } = this.root;
    await GeoNodes.create('here', this.primary.url, { primary: true });
    const made = await GeoNodes.create(name, 'http://far-away.example.com');
    const { id, oauth_application: application } = made as typeof made & {
      oauth_application: { application_id: string; secret: string };
    };
    this.nodeId = id;
    this.secondary = new OwnServer({
      GEO_ROLE: 'secondary',
      GEO_PRIMARY_URL: this.cable.url,
      GEO_NODE_NAME: name,
      GEO_APPLICATION_ID: application.application_id,
      GEO_APPLICATION_SECRET: application.secret,
      GEO_LOOK_INTERVAL: '100ms',
      GEO_RETRY_FIRST: '200ms',
      GEO_RETRY_LONGEST: '1',
      GEO_NODES_INTERVAL: '200ms',
      GEO_FILES_INTERVAL: '500ms',
      GEO_IMAGES_INTERVAL: '200ms',
      GEO_NEW_FILES_INTERVAL: '200ms',
      GEO_STATUS_INTERVAL: '500ms',
      GEO_ANSWERS_KEPT: '300ms',
      // Longer than the calls of a request wait for an unreachable primary, also on a busy machine.
      GEO_ANSWERS_KEPT_AWAY: '20',
    });
    await this.secondary.start();
  }

  /** It has a new port then; the cable's address stays. */
  async startPrimaryAgain(): Promise<void> {
    await this.primary.start();
    this.cable.leadTo(Number(new URL(this.primary.url).port));
  }

  /** Path of the copy on the secondary. */
  copyOf({ id }: { id: number }): string {
    const name = createHash('sha256').update(String(id)).digest('hex');
    const files = namesBelow(this.secondary.dataFolder);
    const found = files.find((file) => file.endsWith(`/${name}.git`));
    return path.join(this.secondary.dataFolder, String(found));
  }

  get root() {
    return clientFor(this.primary.token, this.primary.url);
  }

  /** A request to a site. */
  async ask(site: OwnServer, rest: string, init: RequestInit & { token?: string } = {}) {
    const { token = this.primary.token, ...others } = init;
    const headers = { ...(token && { 'private-token': token }), ...(init.headers as Record<string, string>) };
    const response = await fetch(`${site.url}/api/v4${rest}`, { redirect: 'manual', ...others, headers });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json');
    return { status: response.status, body: isJson ? JSON.parse(text) : text, headers: response.headers };
  }

  /** A project with one commit on main. */
  async project(visibility: 'private' | 'public' = 'private') {
    const { id, path_with_namespace } = await this.root.Projects.create({
      name: uniqueName('copied'),
      visibility,
      initializeWithReadme: true,
    });
    return { id, path: path_with_namespace };
  }

  urlOf(site: OwnServer, project: { path: string }, token = this.primary.token): string {
    return `${site.url.replace('://', `://oauth2:${token}@`)}/${project.path}.git`;
  }

  /** @returns the folder */
  async clone(site: OwnServer, project: { path: string }, token?: string): Promise<string> {
    const folder = path.join(this.folder, uniqueName('clone'));
    await gitAsync(this.folder, ['clone', '--quiet', this.urlOf(site, project, token), folder]);
    return folder;
  }

  /** Commits by a push to the primary. @returns the new head of main */
  async push(folder: string, project: { path: string }): Promise<string> {
    await gitAsync(folder, ['commit', '--quiet', '--allow-empty', '--message', uniqueName('change')]);
    await gitAsync(folder, ['push', '--quiet', this.urlOf(this.primary, project), 'HEAD:main']);
    return gitAsync(folder, ['rev-parse', 'HEAD']);
  }

  /** Waits until git reads this head of main from a site. */
  async untilTip(site: OwnServer, project: { path: string }, tip: string): Promise<void> {
    const asked = ['ls-remote', this.urlOf(site, project), 'refs/heads/main'];
    const heard = () => gitAsync(this.folder, asked).catch(() => '');
    await until('the push', async () => (await heard()).startsWith(tip));
  }

  /** Waits until the secondary answers from its own disk. */
  async untilCopied({ path: name }: { path: string }): Promise<void> {
    const authorization = `Basic ${Buffer.from(`oauth2:${this.primary.token}`).toString('base64')}`;
    await until(`a copy of ${name}`, async () => {
      const address = `${this.secondary.url}/${name}.git/info/refs?service=git-upload-pack`;
      const { ok, headers } = await fetch(address, { headers: { authorization } });
      return ok && !headers.has('via');
    });
  }

  async stop(): Promise<void> {
    await Promise.all([this.secondary?.stop(), this.primary.stop()]);
    await this.cable?.remove();
    await removeTemporaryFolder(this.folder);
  }
}
