/** Bulk deletion of 10,000 tags, beside plain calls to the same registry; plans and lists with 100,000 tags. */
import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { MongoClient } from 'mongodb';
import { root } from '../set-up.mjs';
import { api, memoryByProcess } from './stack.mjs';

const count = Number(process.env.REGISTRY_TAGS ?? 10_000);
/** Concurrency, as in the service. */
const atOnce = 8;
/** Tags that one tombstone deletes, for this number of tags in the service. */
const pageSize = 500;
/** Number of plain deletions, each of which reads all tags of the repository: a part of them shows the rate. */
const byDigest = 100;
const byTombstones = 2 * pageSize;
const many = 100_000;
const few = 100;
const rounds = 40;
const manifestType = 'application/vnd.oci.image.manifest.v1+json';
const indexType = 'application/vnd.oci.image.index.v1+json';
const names = Array.from({ length: count }, (_, index) => `build-${String(index).padStart(6, '0')}`);

/** An image in the registry, accessed with tokens as clients do. */
class Image {
  constructor(stack, project) {
    this.stack = stack;
    this.id = project.id;
    this.name = project.path_with_namespace;
  }

  static async make(stack, name) {
    return new Image(stack, await api(stack, 'POST', '/projects', { name }));
  }

  async ask(what, init = {}) {
    if (!this.token || Date.now() > this.renewAt) await this.signIn();
    const headers = { authorization: `Bearer ${this.token}`, ...init.headers };
    const answer = await fetch(new URL(`/v2/${this.name}/${what}`, this.stack.registry_url), { ...init, headers });
    if (!answer.ok) throw new Error(`${init.method} ${what}: ${answer.status} ${await answer.text()}`);
    if (init.keep) return answer;
    return answer.arrayBuffer();
  }

  async signIn() {
    const basic = Buffer.from(`${this.stack.username}:${this.stack.password}`).toString('base64');
    const asked = `service=container_registry&scope=repository:${this.name}:pull,push,delete`;
    const answer = await fetch(`${this.stack.url}/jwt/auth?${asked}`, { headers: { authorization: `Basic ${basic}` } });
    this.token = (await answer.json()).token;
    this.renewAt = Date.now() + 120_000;
  }

  async blob(mediaType, content) {
    const digest = digestOf(content);
    const upload = await this.ask('blobs/uploads/', { method: 'POST', keep: true });
    await upload.arrayBuffer();
    const to = new URL(upload.headers.get('location'), this.stack.registry_url);
    to.searchParams.set('digest', digest);
    const headers = { 'content-type': 'application/octet-stream' };
    await this.ask(to.pathname.slice(`/v2/${this.name}/`.length) + to.search, {
      method: 'PUT',
      body: content,
      headers,
    });
    return { mediaType, digest, size: Buffer.byteLength(content) };
  }

  /** Each tag has its own manifest, as builds do. @returns digests by name */
  async push() {
    const created = new Date().toISOString();
    const config = JSON.stringify({ created, architecture: 'amd64', os: 'linux' });
    const parts = {
      schemaVersion: 2,
      mediaType: manifestType,
      config: await this.blob('application/vnd.oci.image.config.v1+json', config),
      layers: [await this.blob('application/vnd.oci.image.layer.v1.tar', 'a layer')],
    };
    const digests = new Map();
    await atSameTime(names, async (name) => {
      const body = JSON.stringify({ ...parts, annotations: { name } });
      digests.set(name, digestOf(body));
      await this.put(name, manifestType, body);
    });
    return digests;
  }

  put(name, mediaType, body) {
    return this.ask(`manifests/${name}`, { method: 'PUT', headers: { 'content-type': mediaType }, body });
  }

  delete(digest) {
    return this.ask(`manifests/${digest}`, { method: 'DELETE' });
  }

  async left() {
    return JSON.parse(Buffer.from(await this.ask('tags/list')).toString()).tags?.length ?? 0;
  }

  repository() {
    return api(this.stack, 'GET', `/projects/${this.id}/registry/repositories?tags_count=true`).then(([one]) => one);
  }

  /** Waits until the service knows that many. */
  async known(wanted) {
    for (;;) {
      const repository = await this.repository();
      if (repository?.tags_count === wanted) return repository;
      await wait(250);
    }
  }
}

const digestOf = (text) => `sha256:${createHash('sha256').update(text).digest('hex')}`;

async function atSameTime(items, work) {
  const waiting = items.values();
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (const item of waiting) await work(item);
    }),
  );
}

async function timed(work) {
  const began = performance.now();
  const value = await work();
  return { value, seconds: (performance.now() - began) / 1000 };
}

/** The best strategy for a client: it points each tag to an empty index, and deletes that once for many tags. */
async function deleteByTombstones(image, tags) {
  for (let at = 0; at < tags.length; at += pageSize) {
    const body = JSON.stringify({
      schemaVersion: 2,
      mediaType: indexType,
      manifests: [],
      annotations: { at: `${at}` },
    });
    await atSameTime(tags.slice(at, at + pageSize), (name) => image.put(name, indexType, body));
    await image.delete(digestOf(body));
  }
}

const perSecond = (items, seconds) => `${(items / seconds).toFixed(0)}/s`;

/** On one repository: some of its tags by plain calls, then the rest in bulk. */
async function measureDeletion(stack) {
  const image = await Image.make(stack, 'bench-bulk');
  const pushed = await timed(() => image.push());
  const heard = await timed(() => image.known(count));
  const bare = names.slice(0, byDigest);
  const calls = await timed(() => atSameTime(bare, (name) => image.delete(pushed.value.get(name))));
  const stones = names.slice(byDigest, byDigest + byTombstones);
  const tombstones = await timed(() => deleteByTombstones(image, stones));
  const rest = count - bare.length - stones.length;
  const { id } = await image.known(rest);
  const memory = new Memory(stack);
  const ours = await timed(async () => {
    await api(stack, 'DELETE', `/projects/${image.id}/registry/repositories/${id}/tags`, { name_regex_delete: '.*' });
    await image.known(0);
  });
  const growth = memory.end();
  if ((await image.left()) > 0) throw new Error('the deletion has left tags');
  const rate = rest / ours.seconds;
  return [
    {
      figure: `${count} tags pushed, ${atOnce} at once: until all are listed`,
      value: perSecond(count, pushed.seconds + heard.seconds),
      floor: `${perSecond(count, pushed.seconds)} pushed`,
      ratio: pushed.seconds / (pushed.seconds + heard.seconds),
      goal: '',
    },
    {
      figure: `deletion in bulk of ${rest} of them against \`DELETE\` of each manifest, ${atOnce} at once`,
      value: perSecond(rest, ours.seconds),
      floor: perSecond(bare.length, calls.seconds),
      ratio: rate / (bare.length / calls.seconds),
      goal: 0.8,
    },
    {
      figure: 'the same against an empty index put at each tag and deleted once for 500',
      value: perSecond(rest, ours.seconds),
      floor: perSecond(stones.length, tombstones.seconds),
      ratio: rate / (stones.length / tombstones.seconds),
      goal: '',
    },
    {
      figure: 'memory of the services during it, beyond before',
      value: `${growth.beyond} MB, of which ${growth.late} MB in its second half`,
      goal: 'flat: nothing in the second half',
    },
  ];
}

/** Memory of the services, sampled every second. */
class Memory {
  constructor({ pid }) {
    const now = () =>
      [...memoryByProcess(pid)].reduce((sum, [name, size]) => sum + (name.includes('services') ? size : 0), 0);
    this.sizes = [now()];
    this.timer = setInterval(() => this.sizes.push(now()), 1000);
  }

  /** The maximum above the initial value; and the growth in the second half. */
  end() {
    clearInterval(this.timer);
    const middle = Math.ceil(this.sizes.length / 2);
    const most = Math.max(...this.sizes);
    const firstMost = Math.max(...this.sizes.slice(0, middle));
    return { beyond: most - this.sizes[0], late: most - firstMost };
  }
}

/** Inserted into the database in the service's form. */
async function seed(database, projectId, _id, size) {
  const at = new Date();
  const path = `bench/of-${size}`;
  const version = 1;
  await database.collection('container_repositories').insertOne({
    _id,
    projectId,
    path,
    name: `of-${size}`,
    isShown: true,
    status: null,
    bulkDeletion: null,
    bulkDeletedAt: null,
    cleanupStartedAt: null,
    isPending: false,
    // Never compared with the registry, which does not have them.
    reconciledAt: new Date('2100-01-01'),
    tagsVersion: version,
    tagsCount: { version, count: size },
    createdAt: at,
    updatedAt: at,
  });
  for (let start = 0; start < size; start += 5_000) {
    const tags = Array.from({ length: Math.min(5_000, size - start) }, (_, offset) => {
      const n = start + offset;
      const digest = digestOf(String(n));
      return {
        repositoryId: _id,
        name: `v${String(n).padStart(6, '0')}`,
        digest,
        revision: digest.slice('sha256:'.length),
        imageCreatedAt: new Date(at.getTime() - ((n * 7919) % size) * 60_000),
        totalSize: 1_000,
        seenAt: at,
      };
    });
    await database.collection('tags').insertMany(tags, { ordered: false });
  }
}

const median = (times) => times.sort((a, b) => a - b)[times.length >> 1];

async function measureLists(stack, database) {
  const project = await api(stack, 'POST', '/projects', { name: 'bench-lists' });
  const ids = { [few]: 2_000_000_001, [many]: 2_000_000_002 };
  for (const size of [few, many]) await seed(database, project.id, ids[size], size);
  const repositories = `/projects/${project.id}/registry/repositories`;
  const rows = [];
  for (const [what, rest] of [
    ['first page of tags', 'tags?per_page=20'],
    ['third page of tags', 'tags?per_page=20&page=3'],
    ['one tag', 'tags/v000050'],
  ]) {
    const times = { [few]: [], [many]: [] };
    for (let round = 0; round < rounds; round++)
      for (const size of round % 2 === 0 ? [few, many] : [many, few])
        times[size].push((await timed(() => api(stack, 'GET', `${repositories}/${ids[size]}/${rest}`))).seconds * 1000);
    const [ours, floor] = [median(times[many]), median(times[few])];
    rows.push({
      figure: `${what}, of ${many}`,
      value: `${ours.toFixed(1)} ms`,
      floor: `${floor.toFixed(1)} ms of ${few}`,
      ratio: ours / floor,
      goal: 'at most 1.3',
    });
  }
  return [...rows, await measurePlan(database, ids[many])];
}

/** Reads the records and computes the plan. */
async function measurePlan(database, repositoryId) {
  const load = createRequire(import.meta.url);
  const { readDeletionRules } = load(path.join(root, 'apps/registry/dist/deletion-plan/deletion-rules.js'));
  const { concerns, planDeletion } = load(path.join(root, 'apps/registry/dist/deletion-plan/plan-deletion.js'));
  const rules = readDeletionRules({ name_regex_delete: 'v.*', name_regex_keep: '.*7', keep_n: 10, older_than: '1h' });
  const fields = { _id: 0, name: 1, digest: 1, imageCreatedAt: 1 };
  const planned = await timed(async () => {
    const concerned = [];
    const cursor = database.collection('tags').find({ repositoryId }, { projection: fields, batchSize: 5000 });
    for await (const { name, digest, imageCreatedAt } of cursor)
      if (concerns(rules, name)) concerned.push({ name, digest, createdAt: imageCreatedAt });
    return planDeletion(concerned, rules, new Date());
  });
  const goes = planned.value.length;
  return {
    figure: `plan among ${many} tags, of which ${goes} go`,
    value: `${planned.seconds.toFixed(2)} s`,
    goal: 'under 2 s',
  };
}

export async function measureRegistry(stack) {
  if (!stack.registry_url)
    return [{ figure: 'container registry', value: 'docker-registry is not installed', goal: '' }];
  const client = await MongoClient.connect(stack.mongodb_uri);
  try {
    const lists = await measureLists(stack, client.db('moothall_registry'));
    return [...(await measureDeletion(stack)), ...lists];
  } finally {
    await client.close();
  }
}
