import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { below } from '../server/below';
import { uniqueName } from '../server/connection';
import type { OwnServer } from '../server/own-server';
import { until } from '../server/until';
import { namesBelow } from './names-below';
import type { TwoSites } from './two-sites';

const pipeline = JSON.stringify({ build: { script: ['true'], artifacts: { paths: ['made'] } } });
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

export const sha256 = (bytes: Buffer | string): string => createHash('sha256').update(bytes).digest('hex');

/** Gives a project of the primary a file of each kind. */
export class FilesOf {
  readonly at: string;

  constructor(
    private readonly sites: TwoSites,
    private readonly project: { id: number; path: string },
  ) {
    this.at = `/projects/${project.id}`;
  }

  /** @returns its URL below the project */
  async package(content: string): Promise<string> {
    const rest = `${this.at}/packages/generic/app/1.0/app.bin`;
    await this.send('PUT', rest, content);
    return rest;
  }

  async upload(content: string): Promise<void> {
    const form = new FormData();
    form.set('file', new Blob([content]), 'note.txt');
    await this.send('POST', `${this.at}/uploads`, form);
  }

  async avatar(): Promise<void> {
    const form = new FormData();
    form.set('avatar', new Blob([png]), 'face.png');
    await this.send('PUT', this.at, form);
  }

  /** For a topic. */
  async topicAvatar(): Promise<void> {
    const form = new FormData();
    form.set('name', uniqueName('topic'));
    form.set('title', 'Pictured');
    form.set('avatar', new Blob([png]), 'topic.png');
    await this.send('POST', '/topics', form);
  }

  async lfsObject(content: string): Promise<void> {
    const oid = sha256(content);
    const authorization = `Basic ${Buffer.from(`oauth2:${this.sites.primary.token}`).toString('base64')}`;
    const type = 'application/vnd.git-lfs+json';
    const answer = await fetch(`${this.sites.primary.url}/${this.project.path}.git/info/lfs/objects/batch`, {
      method: 'POST',
      headers: { authorization, accept: type, 'content-type': type },
      body: JSON.stringify({ operation: 'upload', transfers: ['basic'], objects: [{ oid, size: content.length }] }),
    });
    const { objects } = (await answer.json()) as {
      objects: [{ actions: { upload: { href: string; header: Record<string, string> } } }];
    };
    const { href, header } = objects[0].actions.upload;
    const sent = await fetch(href, { method: 'PUT', headers: header, body: content });
    if (!sent.ok) throw new Error(`LFS: ${sent.status} ${await sent.text()}`);
  }

  /** By a runner that completes its job immediately. */
  async artifact(content: string): Promise<void> {
    const file = { branch: 'main', content: pipeline, commit_message: 'Add a job' };
    await this.send('POST', `${this.at}/repository/files/${encodeURIComponent('.gitlab-ci.yml')}`, file);
    const made = { runner_type: 'project_type', project_id: this.project.id };
    const { token } = await this.send('POST', '/user/runners', made);
    const job = await until('a job', async () => {
      const { status, body } = await this.sites.ask(this.sites.primary, '/jobs/request', {
        ...asJson({ token }),
        method: 'POST',
        token: '',
      });
      return status === 201 ? body : undefined;
    });
    const form = new FormData();
    form.set('artifact_format', 'raw');
    form.set('artifact_type', 'archive');
    form.set('file', new Blob([content]), 'artifacts.zip');
    const headers = { 'job-token': job.token };
    await this.send('POST', `/jobs/${job.id}/artifacts`, form, { headers, token: '' });
  }

  private async send(method: string, rest: string, sent: object | string, init: object = {}) {
    const body = typeof sent === 'string' || sent instanceof FormData ? { body: sent } : asJson(sent);
    const answer = await this.sites.ask(this.sites.primary, rest, { method, ...body, ...init });
    if (answer.status >= 300) throw new Error(`${method} ${rest}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  }
}

const asJson = (sent: object) => ({ headers: { 'content-type': 'application/json' }, body: JSON.stringify(sent) });

/** Hashes of the files of a kind in the object storage of a site, by key. */
export function storedFiles(site: OwnServer, service: string, prefix: string): Map<string, string> {
  const root = path.join(site.dataFolder, 'objects', service);
  // The server may delete a listed file meanwhile.
  const found = below(path.join(root, prefix)).flatMap((file) => {
    const bytes = bytesOf(file);
    return bytes ? [[path.relative(root, file), sha256(bytes)] as const] : [];
  });
  return new Map(found);
}

/** @returns undefined for a folder, and for a deleted file */
function bytesOf(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch (error) {
    if (['ENOENT', 'EISDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
}

const registryOf = (site: OwnServer): string[] =>
  namesBelow(site.dataFolder).filter((file) => file.includes('docker/registry/v2/'));

/** Tags of the image of a project, from the files of a site's registry. */
export const tagsOf = (site: OwnServer, project: { path: string }): string[] =>
  registryOf(site)
    .flatMap((file) => file.split(`/${project.path}/_manifests/tags/`)[1] ?? [])
    .flatMap((rest) => (/^[^/]+\/current\/link$/.test(rest) ? (rest.split('/')[0] ?? []) : []))
    .toSorted();

/** Digests of all blobs in a registry. */
export const blobsOf = (site: OwnServer): string[] =>
  registryOf(site).flatMap((file) => /\/blobs\/sha256\/..\/([0-9a-f]{64})\/data$/.exec(file)?.[1] ?? []);
