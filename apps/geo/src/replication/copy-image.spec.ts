import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { copyImage } from './copy-image';
import { RegistrySite } from './registry-site';

const digestOf = (content: string | Buffer) => `sha256:${createHash('sha256').update(content).digest('hex')}`;

/** An in-memory registry with one repository; it refuses manifests with missing references. */
class Registry {
  readonly blobs = new Map<string, Buffer>();
  readonly manifests = new Map<string, string>();
  readonly tags = new Map<string, string>();
  /** Blobs are redirected to another server. */
  redirects = false;
  puts = 0;
  /** Name of a header that this registry omits. */
  omits = '';
  private readonly server: Server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://registry');
    const [kind, reference = ''] = url.pathname.split('/').slice(4);
    const answer = (status: number, body: string | Buffer = '', headers: Record<string, string> = {}) =>
      response
        .writeHead(status, Object.fromEntries(Object.entries(headers).filter(([name]) => name !== this.omits)))
        .end(request.method === 'HEAD' ? '' : body);
    if (url.pathname.startsWith('/elsewhere/')) {
      const isShown = request.headers.authorization !== undefined;
      return answer(isShown ? 400 : 200, this.blobs.get(url.pathname.slice('/elsewhere/'.length)));
    }
    if (request.headers.authorization !== 'Bearer token') return answer(401);
    if (kind === 'tags') return answer(200, JSON.stringify({ tags: [...this.tags.keys()] }));
    if (kind === 'blobs' && request.method === 'POST')
      return answer(202, '', { location: '/v2/group/app/blobs/uploads/1?a=b' });
    if (kind === 'blobs' && request.method === 'PUT') {
      return void request.toArray().then((chunks) => {
        const bytes = Buffer.concat(chunks);
        const digest = url.searchParams.get('digest') ?? '';
        this.puts += 1;
        if (digestOf(bytes) !== digest) return answer(400);
        this.blobs.set(digest, bytes);
        return answer(201);
      });
    }
    if (kind === 'blobs') {
      const found = this.blobs.get(reference);
      if (found && this.redirects && request.method === 'GET')
        return answer(307, '', { location: `/elsewhere/${reference}` });
      return found ? answer(200, found) : answer(404);
    }
    if (request.method === 'PUT') {
      return void request.toArray().then((chunks) => {
        const body = Buffer.concat(chunks).toString();
        const named = [...body.matchAll(/sha256:[0-9a-f]{64}/g)].map(([digest]) => digest);
        if (named.some((digest) => !this.blobs.has(digest) && !this.manifests.has(digest))) return answer(400);
        this.add(reference, body);
        return answer(201);
      });
    }
    const digest = this.tags.get(reference) ?? reference;
    const body = this.manifests.get(digest);
    return body ? answer(200, body, { 'docker-content-digest': digest, 'content-type': 'application/x' }) : answer(404);
  });

  async start() {
    await once(this.server.listen(0, '127.0.0.1'), 'listening');
    return this;
  }

  get site() {
    return new RegistrySite(`http://127.0.0.1:${(this.server.address() as AddressInfo).port}`, 'group/app', 'token');
  }

  add(reference: string, body: string): string {
    const digest = digestOf(body);
    this.manifests.set(digest, body);
    if (!reference.startsWith('sha256:')) this.tags.set(reference, digest);
    return digest;
  }

  blob(content: string) {
    const bytes = Buffer.from(content);
    this.blobs.set(digestOf(bytes), bytes);
    return { digest: digestOf(bytes), size: bytes.length };
  }

  image(reference: string, ...layers: string[]): string {
    const config = this.blob(`config ${reference}`);
    return this.add(reference, JSON.stringify({ config, layers: layers.map((layer) => this.blob(layer)) }));
  }

  stop() {
    this.server.closeAllConnections();
    this.server.close();
  }
}

let from: Registry;
let to: Registry;
beforeEach(async () => {
  [from, to] = [await new Registry().start(), await new Registry().start()];
});
afterEach(() => {
  from.stop();
  to.stop();
});

it('copies tags with all their blobs and indexes, and skips blobs that exist', async () => {
  from.image('v1', 'base', 'app');
  const [one, other] = [from.image('sha256:one', 'base', 'arm'), from.image('sha256:other', 'base', 'x86')];
  from.add('latest', JSON.stringify({ manifests: [{ digest: one }, { digest: other }] }));
  expect(await copyImage(from.site, to.site)).toEqual([]);
  expect([...to.tags]).toEqual([...from.tags]);
  expect([...to.blobs.keys()].toSorted()).toEqual([...from.blobs.keys()].toSorted());
  const { puts } = to;
  expect(puts).toBe(from.blobs.size);
  from.image('v2', 'base', 'new');
  await copyImage(from.site, to.site);
  expect(to.puts).toBe(puts + 2);
});

it('names tags that are no longer there, and follows those that moved', async () => {
  from.image('v1', 'one');
  await copyImage(from.site, to.site);
  from.tags.delete('v1');
  from.image('v2', 'two');
  expect(await copyImage(from.site, to.site)).toEqual(['v1']);
  from.image('v2', 'three');
  await copyImage(from.site, to.site);
  expect(to.tags.get('v2')).toBe(from.tags.get('v2'));
});

it('fetches blobs from another host, and does not send the token there', async () => {
  from.redirects = true;
  from.image('v1', 'far away');
  await copyImage(from.site, to.site);
  expect(to.blobs.get(digestOf('far away'))?.toString()).toBe('far away');
});

it.each([
  ['docker-content-digest', () => from],
  ['location', () => to],
])('names the registry that answers without %s', async (header, registryThat) => {
  from.image('v1', 'one');
  registryThat().omits = header;
  await expect(copyImage(from.site, to.site)).rejects.toThrow(
    new RegExp(`^The registry 127.0.0.1:\\d+ answers without ${header}$`),
  );
});

it('puts nothing in place of which something is missing or damaged', async () => {
  from.image('v1', 'whole');
  from.blobs.set(digestOf('whole'), Buffer.from('hole'));
  await expect(copyImage(from.site, to.site)).rejects.toThrow('answers 400 to a blob');
  from.blobs.delete(digestOf('whole'));
  await expect(copyImage(from.site, to.site)).rejects.toThrow('answers 404');
  expect(to.tags.size).toBe(0);
});

it('ends with any manifests', async () => {
  from.add('empty', 'null');
  from.add('odd', JSON.stringify({ config: 1, layers: 'x', manifests: [null, { digest: '../../x' }] }));
  expect(await copyImage(from.site, to.site)).toEqual([]);
  let deep = from.image('sha256:deep', 'base');
  for (let depth = 0; depth < 8; depth++)
    deep = from.add(`deep-${depth}`, JSON.stringify({ manifests: [{ digest: deep }] }));
  from.tags.clear();
  from.tags.set('deepest', deep);
  await expect(copyImage(from.site, to.site)).rejects.toThrow('references too many manifests');
});
