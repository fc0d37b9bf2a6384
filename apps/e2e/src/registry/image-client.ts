import { execFile, execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { removeTemporaryFolder, temporaryFolder } from '@moothall/processes';

const run = promisify(execFile);
const manifestType = 'application/vnd.oci.image.manifest.v1+json';

/** Whether skopeo and a registry are installed; if not, a warning is printed and tests are skipped. */
export function hasPrograms(): boolean {
  const missing = ['skopeo', 'docker-registry'].filter((program) => {
    try {
      execFileSync(program, ['--version'], { stdio: 'ignore' });
      return false;
    } catch {
      return true;
    }
  });
  if (missing.length > 0) console.warn(`Tests of images are skipped: ${missing.join(' and ')} not installed.`);
  return missing.length === 0;
}

export const day = (number: number) => new Date(Date.UTC(2020, 0, number));

/** Registers `describe` with clients of images in temporary folders, if the programs are installed. */
export function describeImages(tests: (clientOf: (registryUrl: string) => ImageClient) => void): void {
  (hasPrograms() ? describe : describe.skip)('images', () => {
    const folders: string[] = [];
    afterAll(() => Promise.all(folders.map(removeTemporaryFolder)));
    tests((registryUrl) => {
      const folder = temporaryFolder('images');
      folders.push(folder);
      return new ImageClient(registryUrl, folder);
    });
  });
}

/** Pushes and pulls images with skopeo, as a user of a registry. */
export class ImageClient {
  private readonly authFile: string;
  readonly host: string;

  constructor(
    registryUrl: string,
    private readonly folder: string,
  ) {
    this.host = new URL(registryUrl).host;
    this.authFile = path.join(folder, 'auth.json');
  }

  signIn(username: string, password: string): Promise<string> {
    const asked = ['--username', username, '--password', password, '--authfile', this.authFile, this.host];
    return this.skopeo('login', '--tls-verify=false', ...asked);
  }

  /** A generated image with one layer. */
  async push(name: string, created: Date): Promise<void> {
    const layout = writeImage(path.join(this.folder, `image-${created.getTime()}`), created);
    const to = ['--dest-tls-verify=false', '--authfile', this.authFile];
    await this.skopeo('copy', ...to, `oci:${layout}:latest`, `docker://${this.host}/${name}`);
  }

  async pull(name: string): Promise<void> {
    const from = ['--src-tls-verify=false', '--authfile', this.authFile];
    const folder = path.join(this.folder, createHash('sha256').update(name).digest('hex'));
    await this.skopeo('copy', ...from, `docker://${this.host}/${name}`, `dir:${folder}`);
  }

  async tags(name: string): Promise<string[]> {
    const asked = ['--tls-verify=false', '--authfile', this.authFile, `docker://${this.host}/${name}`];
    return JSON.parse(await this.skopeo('list-tags', ...asked)).Tags;
  }

  private async skopeo(...args: string[]): Promise<string> {
    const { stdout } = await run('skopeo', ['--insecure-policy', ...args], { timeout: 120_000 });
    return stdout;
  }
}

/** @returns the folder, an OCI image layout. Source: OCI image specification, "Image Layout" */
function writeImage(folder: string, created: Date): string {
  const blobs = path.join(folder, 'blobs/sha256');
  mkdirSync(blobs, { recursive: true });
  const write = (mediaType: string, content: Buffer) => {
    const hex = createHash('sha256').update(content).digest('hex');
    writeFileSync(path.join(blobs, hex), content);
    return { mediaType, digest: `sha256:${hex}`, size: content.length };
  };
  const writeJson = (mediaType: string, content: object) => write(mediaType, Buffer.from(JSON.stringify(content)));
  // A tar without files ends with two empty blocks.
  const tar = Buffer.alloc(1024);
  const layer = write('application/vnd.oci.image.layer.v1.tar+gzip', gzipSync(tar));
  const diffId = `sha256:${createHash('sha256').update(tar).digest('hex')}`;
  const config = writeJson('application/vnd.oci.image.config.v1+json', {
    created: created.toISOString(),
    architecture: 'amd64',
    os: 'linux',
    config: {},
    rootfs: { type: 'layers', diff_ids: [diffId] },
  });
  const manifest = writeJson(manifestType, { schemaVersion: 2, mediaType: manifestType, config, layers: [layer] });
  const named = { ...manifest, annotations: { 'org.opencontainers.image.ref.name': 'latest' } };
  writeFileSync(path.join(folder, 'oci-layout'), JSON.stringify({ imageLayoutVersion: '1.0.0' }));
  writeFileSync(path.join(folder, 'index.json'), JSON.stringify({ schemaVersion: 2, manifests: [named] }));
  return folder;
}

/** Gives the image of one tag many more names, with a token as clients get it. */
export async function tagMany(
  server: { url: string; registryUrl: string },
  credential: { username: string; password: string },
  name: string,
  from: string,
  names: readonly string[],
): Promise<void> {
  const basic = Buffer.from(`${credential.username}:${credential.password}`).toString('base64');
  const asked = `service=container_registry&scope=repository:${name}:pull,push`;
  const answer = await fetch(`${server.url}/jwt/auth?${asked}`, { headers: { authorization: `Basic ${basic}` } });
  const { token } = (await answer.json()) as { token: string };
  const headers = { authorization: `Bearer ${token}`, accept: manifestType, 'content-type': manifestType };
  const manifests = `${server.registryUrl}/v2/${name}/manifests`;
  const body = await (await fetch(`${manifests}/${from}`, { headers })).text();
  const waiting = names.values();
  const work = async () => {
    for (const tag of waiting) {
      const { status } = await fetch(`${manifests}/${tag}`, { method: 'PUT', headers, body });
      if (status !== 201) throw new Error(`${tag}: ${status}`);
    }
  };
  await Promise.all(Array.from({ length: 8 }, work));
}
