import type { Readable } from 'node:stream';
import {
  answerGeoQuestion,
  commonErrors,
  GeoNode,
  type GeoProject,
  type InputOf,
  listGeoChecksums,
  listGeoEvents,
  listGeoFiles,
  listGeoImages,
  listGeoProjects,
  type OperationError,
  type OutputOf,
  registryAudience,
  type reportGeoStatus,
} from '@moothall/contracts';
import { sendRequest, streamRequest } from '@moothall/outbound';
import { settingsToken } from '@moothall/service';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { followsPrimary, type GeoSettings, type PrimaryCredential, primaryCredentialOf } from '../settings/settings';
import type { FileRow, RepositoryKind, RepositoryRow } from './replica-row.schema';

const timeoutMs = 30_000;
/** A thousand projects are about a megabyte, with long names and many groups above. */
const mostBytes = 32 * 1024 ** 2;
/** A user is waiting, and a cached answer may still be usable. */
const questionTimeoutMs = 5_000;
const per_page = 100;
const mostNodes = 1000;

/** The primary lacks the bytes of a file, or the file was deleted. */
export class FileMissing extends Error {}

/** The primary no longer stores the events after a cursor. */
export class CursorExpired extends Error {}

/** Another server answers at the primary's URL. */
export class NotPrimary extends Error {}

/** The primary names a project by an invalid path. */
export class UnusablePath extends Error {}

/** Client for the primary. Redirects are refused, because they would send the token elsewhere. */
@Injectable()
export class PrimarySite {
  private readonly log = new Logger(PrimarySite.name);
  private readonly address: URL | undefined;
  private readonly credential: PrimaryCredential;

  /** Interval of checks for work, in seconds. */
  readonly looksEverySeconds: number;

  constructor(@Inject(settingsToken) settings: GeoSettings) {
    this.looksEverySeconds = settings.GEO_LOOK_INTERVAL;
    if (followsPrimary(settings)) this.address = new URL(settings.GEO_PRIMARY_URL as string);
    this.credential = primaryCredentialOf(settings) ?? { token: '' };
  }

  /** Whether a primary is configured. */
  get isKnown(): boolean {
    return this.address !== undefined;
  }

  /** Whether the primary accepts the status of this site. */
  get knowsUs(): boolean {
    return this.isKnown && 'id' in this.credential;
  }

  /** Reports the status of this site. @throws Error with a message for people */
  async report(status: Omit<InputOf<typeof reportGeoStatus>, 'application_id' | 'secret'>): Promise<void> {
    const { credential } = this;
    if (!('id' in credential))
      throw new Error('A site that signs in with a token cannot report its status to the primary');
    const { id: application_id, secret } = credential;
    await this.send('POST', '/geo/status', {}, { application_id, secret, ...status });
  }

  /** @throws CursorExpired; Error with a message for people */
  async events(input: InputOf<typeof listGeoEvents>): Promise<OutputOf<typeof listGeoEvents>> {
    return checked('/geo/events', await this.read('/geo/events', input), listGeoEvents.output) as OutputOf<
      typeof listGeoEvents
    >;
  }

  /** @throws Error with a message for people */
  async projects(input: InputOf<typeof listGeoProjects>): Promise<OutputOf<typeof listGeoProjects>> {
    return checked('/geo/projects', await this.read('/geo/projects', input), listGeoProjects.output) as OutputOf<
      typeof listGeoProjects
    >;
  }

  /** The state of a project; null if it was deleted. @throws Error with a message for people */
  async project(id: number): Promise<GeoProject | null> {
    const { projects } = await this.projects({ id_after: id - 1, limit: 1 });
    return projects.find((project) => project.id === id) ?? null;
  }

  /** All replication nodes of the primary. @throws Error with a message for people */
  async nodes(): Promise<GeoNode[]> {
    const nodes: GeoNode[] = [];
    for (let page = 1; nodes.length < mostNodes; page++) {
      const part = checked(
        '/geo_nodes',
        await this.read('/geo_nodes', { page, per_page }),
        GeoNode.array(),
      ) as GeoNode[];
      nodes.push(...part);
      if (part.length < per_page) return nodes;
    }
    throw new Error(`The primary has more than ${mostNodes} replication nodes`);
  }

  /**
   * Checksums by project, as far as the primary has them; null if it has no such repository. @throws Error with a
   * message for people
   */
  async checksums(project_ids: number[], kind: RepositoryKind): Promise<Map<number, string | null>> {
    const answer = await this.read('/geo/checksums', { project_ids: project_ids.join(), kind });
    const { checksums } = checked('/geo/checksums', answer, listGeoChecksums.output) as OutputOf<
      typeof listGeoChecksums
    >;
    return new Map(checksums.map(({ project_id, checksum }) => [project_id, checksum]));
  }

  /** @throws Error with a message for people */
  async images(input: InputOf<typeof listGeoImages>): Promise<OutputOf<typeof listGeoImages>> {
    return checked('/geo/images', await this.read('/geo/images', input), listGeoImages.output) as OutputOf<
      typeof listGeoImages
    >;
  }

  /** A token that the primary's registry accepts for pulling an image. @throws Error with a message for people */
  async registryToken(path: string): Promise<string> {
    const url = this.below('/jwt/auth');
    url.searchParams.set('service', registryAudience);
    url.searchParams.set('scope', `repository:${path}:pull`);
    const { credential } = this;
    const [name, password] = 'token' in credential ? ['oauth2', credential.token] : [credential.id, credential.secret];
    const authorization = `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`;
    const answer = await this.request('GET', url, { authorization }, '', timeoutMs);
    if (answer.status !== 200) throw new Error(`The primary answers ${answer.status} to a request for its images`);
    const { token } = JSON.parse(answer.body.toString()) as { token?: unknown };
    if (typeof token !== 'string') throw new Error('The primary gives no token for its images');
    return token;
  }

  /** @throws Error with a message for people */
  async files(input: InputOf<typeof listGeoFiles>): Promise<OutputOf<typeof listGeoFiles>> {
    return checked('/geo/files', await this.read('/geo/files', input), listGeoFiles.output) as OutputOf<
      typeof listGeoFiles
    >;
  }

  /**
   * Streams the bytes of a file.
   * @throws FileMissing; Error with a message for people; errors of `use`
   */
  async fetchFile<T>(
    { kind, fileId }: Pick<FileRow, 'kind' | 'fileId'>,
    use: (bytes: Readable) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> {
    const wanted = {
      method: 'GET',
      url: this.below(`/api/v4/geo/files/${kind}`, String(fileId)),
      headers: headersOf(this.credential),
      body: '',
      verifiesTls: true,
      policy: { allowsLocal: true, allowed: [] },
      idleMs: timeoutMs,
      signal,
    };
    return streamRequest(wanted, async (answer) => {
      if (answer.statusCode === 404) throw new FileMissing('The primary does not have its bytes');
      if (answer.statusCode !== 200) throw new Error(`The primary answers ${answer.statusCode} to the file`);
      return use(answer);
    });
  }

  /** URL and credentials of a repository for git. @throws UnusablePath */
  sourceOf({ path, kind }: Pick<RepositoryRow, 'path' | 'kind'>): string {
    const url = this.below(`/${path}${kind === 'wiki' ? '.wiki' : ''}.git`);
    const { credential } = this;
    url.username = 'token' in credential ? 'oauth2' : credential.id;
    url.password = 'token' in credential ? credential.token : credential.secret;
    return url.href;
  }

  /** @throws common.unavailable if it does not answer */
  async ask(question: InputOf<typeof answerGeoQuestion>): Promise<OutputOf<typeof answerGeoQuestion>> {
    const answer = await this.send('POST', '/geo/questions', {}, question).catch((error: Error) => {
      this.log.warn(`${question.question}: ${error.message}`);
      throw primaryUnavailable();
    });
    const { success, data } = answerGeoQuestion.output.safeParse(answer);
    if (!success) throw primaryUnavailable();
    return data as OutputOf<typeof answerGeoQuestion>;
  }

  private read(path: string, parameters: object): Promise<unknown> {
    return this.send('GET', path, parameters);
  }

  private async send(method: 'GET' | 'POST', path: string, parameters: object, body?: object): Promise<unknown> {
    const url = this.below(`/api/v4${path}`);
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, String(value));
    const headers = { ...headersOf(this.credential), accept: 'application/json', 'content-type': 'application/json' };
    const patienceMs = body ? questionTimeoutMs : timeoutMs;
    const answer = await this.request(method, url, headers, body ? JSON.stringify(body) : '', patienceMs);
    if (answer.status === 410) throw new CursorExpired();
    if (answer.status !== 200 && answer.status !== 201)
      throw new Error(`The primary answers ${answer.status} to ${method} ${path}`);
    try {
      return JSON.parse(answer.body.toString());
    } catch {
      throw new NotPrimary(`${method} ${path} is answered with what is no JSON`);
    }
  }

  private request(method: string, url: URL, headers: Record<string, string>, body: string, patienceMs: number) {
    const policy = { allowsLocal: true, allowed: [] };
    return sendRequest({ method, url, headers, body, verifiesTls: true, policy, timeoutMs: patienceMs, mostBytes });
  }

  /** @param last a path segment with any characters */
  private below(path: string, last?: string): URL {
    const url = new URL(this.address as URL);
    const wanted = `${url.pathname.replace(/\/$/, '')}${path.split('/').map(encodeURIComponent).join('/')}${last === undefined ? '' : `/${encodeURIComponent(last)}`}`;
    url.pathname = wanted;
    // A path with `..` would request something else.
    if (url.pathname !== wanted) throw new UnusablePath('The primary returned an invalid path');
    return url;
  }
}

interface Shape {
  safeParse(value: unknown): { success: boolean; data?: unknown };
}

/** @throws NotPrimary for an answer that no primary would give */
function checked(path: string, answer: unknown, shape: Shape): unknown {
  const { success, data } = shape.safeParse(answer);
  if (!success) throw new NotPrimary(`GET ${path} is answered with something else`);
  return data;
}

const headersOf = (credential: PrimaryCredential): Record<string, string> =>
  'token' in credential
    ? { 'private-token': credential.token }
    : { authorization: `Basic ${Buffer.from(`${credential.id}:${credential.secret}`).toString('base64')}` };

/** See docs/api/geo-replication.md#5. */
export const primaryUnavailable = (): OperationError =>
  commonErrors.unavailable('503 Service Unavailable - The primary of this site does not answer');
