import { createHash, randomBytes } from 'node:crypto';
import { truncateSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import {
  Access,
  type AccessLevel,
  authenticateBasic,
  type Caller,
  dueCleanupPolicies,
  issueRegistryToken,
  listProjectRegistryRepositories,
  listRegistryTags,
  type OutputOf,
  type ProjectRef,
  passCleanupPolicy,
  projectErrors,
  readableProjects,
  resolveProject,
  takeRegistryEvents,
} from '@moothall/contracts';
import { endWithUs, makeTokenKey, type RunningProgram, startOnFreePort, startRegistry } from '@moothall/infrastructure';
import { findProgram, removeTemporaryFolder, temporaryFolder } from '@moothall/processes';
import {
  callerNamed,
  contextOf,
  listAll,
  prepareReplicas,
  projectNamed,
  type Replicas,
  type ServiceUnderTest,
  startServiceUnderTest,
  type TestBed,
  uniqueId,
} from '@moothall/testing';
import { service } from '../src';
import { signToken } from '../src/signing/sign-token';
import { readSigningKey, type SigningKey } from '../src/signing/signing-key';

/** These tests need Debian's `docker-registry`. */
const hasRegistry = findProgram('docker-registry') !== undefined;
export const describeWithRegistry = hasRegistry ? describe : describe.skip;
if (!hasRegistry) console.warn('What needs a registry is left out: docker-registry is not installed.');

const secret = 'of the notifications, in tests';
const nobody = contextOf({});
const configType = 'application/vnd.oci.image.config.v1+json';
const manifestType = 'application/vnd.oci.image.manifest.v1+json';

type Asked = Omit<RequestInit, 'headers'> & { headers?: Record<string, string> };

/** A docker-registry that notifies the service, and a client that pushes to it. */
export class RegistryParts {
  private program: RunningProgram | undefined;
  private port!: number;
  private hears = true;
  private watchdog?: ReturnType<typeof endWithUs>;
  private readonly front: Server;

  private constructor(
    private readonly folder: string,
    private readonly certificate: string,
    private readonly key: SigningKey,
    readonly keyFile: string,
  ) {
    this.front = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk) => chunks.push(chunk));
      request.on('end', () => {
        const { events } = JSON.parse(Buffer.concat(chunks).toString());
        const notified = this.hears ? this.tell(events, request.headers.authorization) : Promise.resolve();
        notified.then(
          () => response.end('{}'),
          () => response.writeHead(503).end(),
        );
      });
    });
  }

  /** Handles a notification as the gateway does. */
  tell: (events: never[], authorization?: string) => Promise<unknown> = async () => undefined;

  static async start(): Promise<RegistryParts> {
    const folder = temporaryFolder('registry');
    const { privateKey, certificate } = await makeTokenKey();
    const keyFile = path.join(folder, 'key.pem');
    writeFileSync(keyFile, `${privateKey}${certificate}`);
    const parts = new RegistryParts(folder, certificate, readSigningKey(`${privateKey}${certificate}`), keyFile);
    await new Promise<void>((resolve) => parts.front.listen(0, '127.0.0.1', resolve));
    const { program, port } = await startOnFreePort((free) => parts.launch(free));
    parts.program = program;
    parts.port = port;
    return parts;
  }

  private async launch(port: number): Promise<RunningProgram> {
    const place = { dataFolder: this.folder, logFolder: this.folder, runFolder: this.folder };
    this.watchdog?.kill('SIGKILL');
    const url = `http://127.0.0.1:${(this.front.address() as AddressInfo).port}/events`;
    const program = await startRegistry(place, port, {
      host: '127.0.0.1',
      realm: 'http://moothall.test/jwt/auth',
      certificate: this.certificate,
      notifications: { url, secret },
    });
    this.watchdog = endWithUs(this.folder, [program]);
    return program;
  }

  get settings(): Record<string, string> {
    return {
      REGISTRY_URL: this.url,
      REGISTRY_EXTERNAL_URL: 'https://images.test:5050',
      REGISTRY_TOKEN_KEY: this.keyFile,
      REGISTRY_NOTIFICATION_SECRET: secret,
    };
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Loses notifications from now on, or receives them again. */
  setHearing(hears: boolean): void {
    this.hears = hears;
  }

  async stopRegistry(): Promise<void> {
    await this.program?.stop(0);
    this.program = undefined;
  }

  async startRegistry(): Promise<void> {
    this.program = await this.launch(this.port);
  }

  /** A request of a client with a token for that image. */
  async ask(image: string, what: string, { headers = {}, ...init }: Asked = {}): Promise<Response> {
    const access = [{ type: 'repository', name: image, actions: ['pull', 'push', 'delete'] }];
    const authorization = `Bearer ${signToken(this.key, 'pusher', access, new Date())}`;
    return fetch(new URL(`/v2/${image}/${what}`, this.url), { ...init, headers: { ...headers, authorization } });
  }

  /** @returns the digest of a small image, which is stored without a tag */
  async makeImage(image: string, created: string | null, layer = 'a layer'): Promise<{ digest: string; body: string }> {
    const config = JSON.stringify({ ...(created && { created }), architecture: 'amd64', os: 'linux', by: layer });
    for (const blob of [config, layer]) {
      const upload = await this.ask(image, 'blobs/uploads/', { method: 'POST' });
      const target = new URL(upload.headers.get('location')!, this.url);
      target.searchParams.set('digest', digestOf(blob));
      await this.ask(image, target.pathname.slice(`/v2/${image}/`.length) + target.search, {
        method: 'PUT',
        body: blob,
        headers: { 'content-type': 'application/octet-stream' },
      });
    }
    const describe = (mediaType: string, blob: string) => ({
      mediaType,
      digest: digestOf(blob),
      size: Buffer.byteLength(blob),
    });
    const layers = [describe('application/vnd.oci.image.layer.v1.tar', layer)];
    const body = JSON.stringify({
      schemaVersion: 2,
      mediaType: manifestType,
      config: describe(configType, config),
      layers,
    });
    return { digest: digestOf(body), body };
  }

  async tag(image: string, name: string, body: string, mediaType = manifestType): Promise<void> {
    const answer = await this.ask(image, `manifests/${name}`, {
      method: 'PUT',
      body,
      headers: { 'content-type': mediaType },
    });
    if (answer.status !== 201) throw new Error(`${name}: ${answer.status} ${await answer.text()}`);
  }

  /** Pushes an image with one tag. */
  async push(image: string, name: string, created: string | null = '2020-01-01T00:00:00Z'): Promise<string> {
    const { digest, body } = await this.makeImage(image, created, `layer of ${name} ${randomBytes(4).toString('hex')}`);
    await this.tag(image, name, body);
    return digest;
  }

  /** State of a tag whose registry was killed while it wrote the tag. */
  cutOff(image: string, name: string): void {
    const tags = path.join(this.folder, 'registry/docker/registry/v2/repositories', image, '_manifests/tags');
    truncateSync(path.join(tags, name, 'current/link'));
  }

  /** The real state: tags whose image can be pulled. */
  async names(image: string): Promise<string[]> {
    const { tags } = (await (await this.ask(image, 'tags/list')).json()) as { tags: string[] | null };
    return (tags ?? []).sort();
  }

  async pulls(image: string, name: string): Promise<boolean> {
    const headers = { accept: `${manifestType}, application/vnd.oci.image.index.v1+json` };
    return (await this.ask(image, `manifests/${name}`, { headers })).status === 200;
  }

  async stop(): Promise<void> {
    this.watchdog?.kill('SIGKILL');
    await this.program?.stop(0);
    await new Promise((resolve) => this.front.close(resolve));
    await removeTemporaryFolder(this.folder);
  }
}

export const digestOf = (text: string): string => `sha256:${createHash('sha256').update(text).digest('hex')}`;

/** Stub services for the registry service, and calls to it. */
export class RegistryBed<B extends TestBed> {
  private readonly projects = new Map<number, ProjectRef>();
  /** Due cleanup policies. */
  readonly due: OutputOf<typeof dueCleanupPolicies> = [];

  constructor(
    readonly bed: B,
    readonly parts: RegistryParts,
  ) {
    bed.respond(resolveProject, ({ project }) => {
      const found = [...this.projects.values()].find(({ id, fullPath }) => [String(id), fullPath].includes(project));
      return found ? { project: found, redirected: false } : projectErrors.notFound();
    });
    bed.respond(authenticateBasic, ({ username }) => ({ caller: callerNamed(username), expires_at: null }));
    bed.respond(readableProjects, () => [...this.projects.values()] as OutputOf<typeof readableProjects>);
    bed.respond(dueCleanupPolicies, () => this.due);
    bed.respond(passCleanupPolicy, ({ project_id, run_at }) => {
      const at = this.due.findIndex((turn) => turn.project_id === project_id && turn.run_at === run_at);
      if (at >= 0) this.due.splice(at, 1);
      return {};
    });
    parts.tell = (events, authorization) =>
      bed.client.call(takeRegistryEvents, { events, secret: authorization }, nobody);
  }

  get call(): B['client']['call'] {
    return this.bed.client.call.bind(this.bed.client);
  }

  project(over: Partial<ProjectRef> = {}): ProjectRef {
    const id = uniqueId();
    const project = projectNamed(`app-${id}`, { id, accessLevel: Access.Maintainer, ...over });
    this.projects.set(id, project);
    return project;
  }

  removeProject({ id }: ProjectRef): void {
    this.projects.delete(id);
  }

  /** A project with an image of its name, and the image repository. */
  async image(over: Partial<ProjectRef> = {}) {
    const project = this.project(over);
    const image = project.fullPath;
    const as = this.as(project);
    const claim = async (name = image) => {
      const scope = `repository:${name}:pull,push`;
      const asked = contextOf({ client: { ip: '10.0.0.1', userAgent: '', authorization: basicOf('ada') } });
      await this.call(issueRegistryToken, { service: 'container_registry', scope }, asked);
    };
    await claim();
    const repositories = async () =>
      (await this.call(listProjectRegistryRepositories, { id: String(project.id), tags_count: true }, as)).items;
    const id = String(project.id);
    const names = async (repositoryId: number) => {
      const tags = await listAll((page) =>
        this.call(listRegistryTags, { id, repository_id: repositoryId, ...page }, as),
      );
      return tags.map(({ name }) => name);
    };
    return { project, id, image, as, claim, repositories, names };
  }

  as(project: ProjectRef, accessLevel: AccessLevel = Access.Maintainer, caller: Caller = callerNamed('ada')) {
    return contextOf({ caller, project: { ...project, accessLevel } });
  }
}

export const basicOf = (name: string, password = 'secret'): string =>
  `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`;

export async function startRegistryService() {
  const parts = await RegistryParts.start();
  const under: ServiceUnderTest = await startServiceUnderTest(service, parts.settings);
  const bed = new RegistryBed(under, parts);
  const stop = async () => {
    await under.stop();
    await parts.stop();
  };
  return { bed, parts, under, stop };
}

/** For separate processes, which can be killed. */
export async function prepareRegistryReplicas() {
  const parts = await RegistryParts.start();
  // At the tests' pace, five attempts would end sooner than a busy registry answers.
  const settings = { ...parts.settings, RECOVERY_PACE: '100' };
  const replicas: Replicas = await prepareReplicas(path.resolve(__dirname, '..'), settings);
  const bed = new RegistryBed(replicas, parts);
  const stop = async () => {
    await replicas.stop();
    await parts.stop();
  };
  return { bed, parts, replicas, stop };
}
