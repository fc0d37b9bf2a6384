import { expiresAfter } from '@moothall/background';
import { registryErrors } from '@moothall/contracts';
import { settingsToken } from '@moothall/service';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { RegistrySettings } from '../settings/settings';
import { signToken } from '../signing/sign-token';
import type { SigningKey } from '../signing/signing-key';
import { TokenKey } from '../signing/token-key';
import { readBounded } from './read-bounded';

/** Subject of this service's own tokens; no user can have this name. */
export const ownSubject = 'moothall:registry';

/** A manifest of the registry. */
export interface Manifest {
  digest: string;
  mediaType: string;
  body: string;
}

interface Call {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
  withinMs?: number;
}

const manifestTypes = [
  'application/vnd.oci.image.index.v1+json',
  'application/vnd.oci.image.manifest.v1+json',
  'application/vnd.docker.distribution.manifest.list.v2+json',
  'application/vnd.docker.distribution.manifest.v2+json',
  'application/vnd.docker.distribution.manifest.v1+prettyjws',
].join(', ');
const usualMs = 30_000;
/** The registry reads one folder per tag for a list. */
const listMs = 300_000;
/** Registries refuse manifests above 4 MB. */
const mostManifestBytes = 8 * 1024 ** 2;
const mostBlobBytes = 4 * 1024 ** 2;
const mostListBytes = 64 * 1024 ** 2;
const mostListPages = 10_000;
/** A tag that never exists. */
const neverThere = 'manifests/moothall.never-there';
/** Less than the lifetime of tokens. */
const keptTokensMs = 200_000;
const keptTokens = 1000;

/**
 * Client for the registry. Source: OCI distribution specification.
 * @throws container_registry.unreachable if it does not answer like a registry
 */
@Injectable()
export class RegistryClient {
  private readonly log = new Logger(RegistryClient.name);
  private readonly tokens = new LRUCache<string, string>({ max: keptTokens, ...expiresAfter(keptTokensMs) });

  constructor(
    private readonly key: TokenKey,
    @Inject(settingsToken) private readonly settings: RegistrySettings,
  ) {}

  /** @throws container_registry.not_set_up */
  requireSetUp(): void {
    if (!this.settings.REGISTRY_URL) throw registryErrors.notSetUp();
  }

  /** The host for clients, as prefix of image names. */
  get host(): string {
    const url = this.settings.REGISTRY_EXTERNAL_URL ?? this.settings.REGISTRY_URL;
    return url ? new URL(url).host : '';
  }

  /** @returns names of all tags, none for a missing repository */
  async tagNames(path: string): Promise<string[]> {
    const names: string[] = [];
    let query: string | undefined = '';
    for (let page = 0; query !== undefined && page < mostListPages; page++) {
      const answer = await this.ask(path, `tags/list${query}`, { withinMs: listMs });
      if (!answer) return [];
      const { tags } = this.parse(await this.requireText(answer, mostListBytes)) as { tags?: unknown };
      if (Array.isArray(tags)) names.push(...tags.filter((tag) => typeof tag === 'string'));
      query = nextQuery(answer.headers.get('link'));
    }
    return names;
  }

  /** @returns the digest of the manifest of a tag; undefined if there is none, or it is incomplete */
  async digestOf(path: string, tag: string): Promise<string | undefined> {
    const answer = await this.ask(path, `manifests/${tag}`, { method: 'HEAD', headers: { accept: manifestTypes } });
    return answer && this.requireDigest(answer);
  }

  async manifest(path: string, reference: string): Promise<Manifest | undefined> {
    const answer = await this.ask(path, `manifests/${reference}`, { headers: { accept: manifestTypes } });
    if (!answer) return undefined;
    const body = await this.requireText(answer, mostManifestBytes);
    return { digest: this.requireDigest(answer), mediaType: answer.headers.get('content-type') ?? '', body };
  }

  /** @returns a small blob; undefined if it is missing or large */
  async blob(path: string, digest: string): Promise<string | undefined> {
    const answer = await this.ask(path, `blobs/${digest}`);
    return answer && this.read(answer, mostBlobBytes);
  }

  async putManifest(path: string, tag: string, { mediaType, body }: Omit<Manifest, 'digest'>): Promise<void> {
    const put = { method: 'PUT', headers: { 'content-type': mediaType }, body };
    if (!(await this.ask(path, `manifests/${tag}`, put))) throw registryErrors.unreachable();
  }

  /** Deletes a manifest with all its tags. @returns false if it is missing, or a tag of the repository is incomplete */
  async deleteManifest(path: string, digest: string): Promise<boolean> {
    const answer = await this.ask(path, `manifests/${digest}`, { method: 'DELETE', withinMs: listMs });
    return answer !== undefined;
  }

  /** @returns undefined if it is missing */
  private async ask(path: string, what: string, call: Call = {}): Promise<Response | undefined> {
    this.requireSetUp();
    const { method = 'GET', headers, body, withinMs = usualMs } = call;
    const signal = AbortSignal.timeout(withinMs);
    const authorization = `Bearer ${this.tokenFor(path)}`;
    const url = new URL(`/v2/${path}/${what}`, this.settings.REGISTRY_URL);
    try {
      const answer = await fetch(url, {
        method,
        ...(body !== undefined && { body }),
        signal,
        headers: { ...headers, authorization },
        redirect: 'manual',
      });
      if (await this.isCutOff(answer, path, what)) {
        await answer.body?.cancel();
        return undefined;
      }
      return await this.understood(answer, what.startsWith('blobs/'), signal);
    } catch (error) {
      const { cause } = error as { cause?: unknown };
      this.log.warn(`${method} ${url.pathname}: ${cause ?? error}`);
      throw registryErrors.unreachable();
    }
  }

  /**
   * A registry that crashed while it wrote a tag has the tag without a digest: until the tag is written again, requests
   * for it, and the deletion of any manifest of its repository, fail with 500.
   */
  private async isCutOff({ status }: Response, path: string, what: string): Promise<boolean> {
    if (status !== 500 || !what.startsWith('manifests/') || what === neverThere) return false;
    return (await this.ask(path, neverThere)) === undefined;
  }

  /** Blobs may be redirected, for example to S3, whose server does not get the token. */
  private async understood(answer: Response, isBlob: boolean, signal: AbortSignal): Promise<Response | undefined> {
    if (answer.ok) return answer;
    await answer.body?.cancel();
    if (answer.status === 404) return undefined;
    const location = answer.headers.get('location');
    if (isBlob && location && answer.status >= 300 && answer.status < 400)
      return this.understood(await fetch(new URL(location, answer.url), { signal, redirect: 'error' }), false, signal);
    throw new Error(`the registry answered ${answer.status}`);
  }

  private get signingKey(): SigningKey {
    if (!this.key.key) throw registryErrors.notSetUp();
    return this.key.key;
  }

  private tokenFor(path: string): string {
    const known = this.tokens.get(path);
    if (known) return known;
    const access = [{ type: 'repository', name: path, actions: ['pull', 'push', 'delete'] }];
    const token = signToken(this.signingKey, ownSubject, access, new Date());
    this.tokens.set(path, token);
    return token;
  }

  private async requireText(answer: Response, mostBytes: number): Promise<string> {
    const text = await this.read(answer, mostBytes);
    if (text === undefined) throw registryErrors.unreachable();
    return text;
  }

  private async read(answer: Response, mostBytes: number): Promise<string | undefined> {
    try {
      return await readBounded(answer, mostBytes);
    } catch (error) {
      this.log.warn(`${answer.url}: ${error}`);
      throw registryErrors.unreachable();
    }
  }

  private parse(text: string): object {
    try {
      return (JSON.parse(text) as object | null) ?? {};
    } catch {
      throw registryErrors.unreachable();
    }
  }

  private requireDigest(answer: Response): string {
    const digest = answer.headers.get('docker-content-digest');
    if (!digest || !/^[a-z0-9+._-]+:[0-9a-f]{32,}$/.test(digest)) throw registryErrors.unreachable();
    return digest;
  }
}

/** The query of the next page; the rest of its URL is known. Source: RFC 8288. */
const nextQuery = (link: string | null): string | undefined =>
  /^<[^>?]*(\?[^>]*)>; ?rel="?next"?$/.exec(link ?? '')?.[1];
