import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { type StreamedRequest, streamRequest } from '@moothall/outbound';

const idleMs = 60_000;
const policy = { allowsLocal: true, allowed: [] };
const manifestTypes = [
  'application/vnd.oci.image.index.v1+json',
  'application/vnd.oci.image.manifest.v1+json',
  'application/vnd.docker.distribution.manifest.list.v2+json',
  'application/vnd.docker.distribution.manifest.v2+json',
].join(', ');
const mostManifestBytes = 8 * 1024 ** 2;
const mostListPages = 1000;
const digestForm = /^sha(256|512):[0-9a-f]{64,128}$/;

export interface Manifest {
  mediaType: string;
  body: string;
}

interface Asking {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

export const isDigest = (value: unknown): value is string => typeof value === 'string' && digestForm.test(value);

/** Client for one repository of a registry. Source: OCI distribution specification. */
export class RegistrySite {
  constructor(
    private readonly address: string,
    private readonly path: string,
    private readonly token: string,
    private readonly signal?: AbortSignal,
  ) {}

  /** Names of all tags; empty for a missing repository. */
  async tags(): Promise<string[]> {
    const names: string[] = [];
    let next: string | undefined = 'tags/list';
    for (let page = 0; next !== undefined && page < mostListPages; page++) {
      next = await this.ask(next, {}, async (answer) => {
        if (answer.statusCode === 404) return undefined;
        const { tags } = JSON.parse(await this.bodyOf(answer)) as { tags?: unknown };
        if (Array.isArray(tags)) names.push(...tags.filter((tag) => typeof tag === 'string'));
        const query = /^<[^>?]*(\?[^>]*)>; ?rel="?next"?$/.exec(String(answer.headers.link ?? ''))?.[1];
        return query && `tags/list${query}`;
      });
    }
    return names;
  }

  /** @returns undefined if it does not exist */
  digestOf(reference: string): Promise<string | undefined> {
    return this.ask(`manifests/${reference}`, { method: 'HEAD', headers: { accept: manifestTypes } }, async (answer) =>
      answer.statusCode === 200 ? this.header(answer, 'docker-content-digest') : undefined,
    );
  }

  /** @throws Error if there is none */
  manifest(reference: string): Promise<Manifest> {
    return this.ask(`manifests/${reference}`, { headers: { accept: manifestTypes } }, async (answer) => ({
      mediaType: String(answer.headers['content-type'] ?? ''),
      body: await this.bodyOf(answer),
    }));
  }

  async putManifest(reference: string, { mediaType, body }: Manifest): Promise<void> {
    const put = { method: 'PUT', headers: { 'content-type': mediaType }, body };
    await this.ask(`manifests/${reference}`, put, async (answer) => this.require(answer, 201));
  }

  hasBlob(digest: string): Promise<boolean> {
    return this.ask(`blobs/${digest}`, { method: 'HEAD' }, async ({ statusCode }) => statusCode === 200);
  }

  /** Blobs may be redirected, for example to a bucket, whose server does not get the token. */
  blob<T>(digest: string, use: (bytes: IncomingMessage) => Promise<T>): Promise<T> {
    return this.ask(`blobs/${digest}`, {}, async (answer) => {
      const { location } = answer.headers;
      const isElsewhere = location !== undefined && [301, 302, 303, 307, 308].includes(answer.statusCode ?? 0);
      if (!isElsewhere) {
        this.require(answer, 200);
        return use(answer);
      }
      return streamRequest(this.requestOf(new URL(location, this.address), {}), async (found) => {
        this.require(found, 200);
        return use(found);
      });
    });
  }

  /** The upload URL for a new blob. */
  beginBlob(): Promise<URL> {
    return this.ask('blobs/uploads/', { method: 'POST' }, async (answer) => {
      this.require(answer, 202);
      return new URL(this.header(answer, 'location'), this.address);
    });
  }

  get authorization(): Record<string, string> {
    return { authorization: `Bearer ${this.token}` };
  }

  private ask<T>(what: string, asking: Asking, use: (answer: IncomingMessage) => Promise<T>): Promise<T> {
    const url = new URL(`/v2/${this.path}/${what}`, this.address);
    const headers = { ...this.authorization, ...asking.headers };
    return streamRequest(this.requestOf(url, { ...asking, headers }), use);
  }

  private requestOf(url: URL, { method = 'GET', headers = {}, body = '' }: Asking): StreamedRequest {
    return { url, method, headers, body, verifiesTls: true, policy, idleMs, signal: this.signal };
  }

  private async bodyOf(answer: IncomingMessage): Promise<string> {
    this.require(answer, 200);
    if (Number(answer.headers['content-length'] ?? 0) > mostManifestBytes) throw new Error('The manifest is too large');
    return text(answer);
  }

  private header({ headers }: IncomingMessage, name: string): string {
    const value = headers[name];
    if (typeof value !== 'string')
      throw new Error(`The registry ${new URL(this.address).host} answers without ${name}`);
    return value;
  }

  private require({ statusCode }: IncomingMessage, wanted: number): void {
    if (statusCode !== wanted) throw new Error(`The registry ${new URL(this.address).host} answers ${statusCode}`);
  }
}
