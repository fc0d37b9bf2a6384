import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Collection, MongoClient } from 'mongodb';
import { ServerProcess } from './server-process';

/**
 * Kills the server with SIGKILL under load repeatedly, and compares the data after a restart with the acknowledged
 * writes. CRASH_KILLS sets the number of kills.
 */
const KILLS = Number(process.env.CRASH_KILLS ?? 5);
const WRITERS = 8;
const KEYS_PER_WRITER = 40;

interface Item {
  _id: string;
  version: number;
  group: number;
  tags: number[];
}

/** Possible values of a key: the last acknowledged one, or that of the unfinished write when the server died. */
interface Expected {
  acknowledged: number;
  attempted: number;
  /** The version of the last write: versions are unique, so that an old one cannot pass for a new one. */
  issued: number;
}

/** Finished writes since the last start. */
interface Progress {
  acknowledged: number;
}

const ABSENT = 0;
const GROUPS = 7;

const itemOf = (_id: string, version: number): Item => ({
  _id,
  version,
  group: version % GROUPS,
  tags: [version % 3, version % 5].filter((tag, at, all) => all.indexOf(tag) === at),
});

/** Deterministic, so that a failure can be repeated. */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    return state / 0x7fffffff;
  };
}

/** Writes to its own keys until the connection ends, with a model of each. */
async function write(
  items: Collection<Item>,
  keys: string[],
  model: Map<string, Expected>,
  random: () => number,
  progress: Progress,
): Promise<void> {
  for (;;) {
    const key = keys[Math.floor(random() * keys.length)]!;
    const expected = model.get(key)!;
    const version = ++expected.issued;
    const isRemoval = expected.acknowledged !== ABSENT && random() < 0.2;
    expected.attempted = isRemoval ? ABSENT : version;
    try {
      if (isRemoval) await items.deleteOne({ _id: key });
      else if (random() < 0.5) await items.replaceOne({ _id: key }, itemOf(key, version), { upsert: true });
      else await items.updateOne({ _id: key }, { $set: itemOf(key, version) }, { upsert: true });
    } catch {
      return;
    }
    expected.acknowledged = expected.attempted;
    progress.acknowledged++;
  }
}

async function verify(items: Collection<Item>, model: Map<string, Expected>): Promise<void> {
  const stored = new Map((await items.find().sort({ $natural: 1 }).toArray()).map((item) => [item._id, item]));
  for (const [key, expected] of model) {
    const version = stored.get(key)?.version ?? ABSENT;
    if (version !== expected.acknowledged && version !== expected.attempted) {
      throw new Error(
        `${key} holds version ${version}; acknowledged ${expected.acknowledged}, attempted ${expected.attempted}`,
      );
    }
    if (version !== ABSENT) expect(stored.get(key)).toEqual(itemOf(key, version));
    Object.assign(expected, { acknowledged: version, attempted: version });
  }
  expect(await items.estimatedDocumentCount()).toBe(stored.size);
  await verifyIndexes(items, [...stored.values()]);
}

/** Index entries and documents are written in one transaction: neither may exist without the other. */
async function verifyIndexes(items: Collection<Item>, stored: Item[]): Promise<void> {
  const ids = (found: Item[]): string[] => found.map(({ _id }) => _id).sort();
  for (let group = 0; group < GROUPS; group++) {
    const found = await items.find({ group }).hint('group_1').toArray();
    expect(ids(found)).toEqual(ids(stored.filter((item) => item.group === group)));
  }
  for (let tag = 0; tag < 5; tag++) {
    const found = await items.find({ tags: tag }).hint('tags_1').toArray();
    expect(ids(found)).toEqual(ids(stored.filter((item) => item.tags.includes(tag))));
  }
  for (const { _id } of stored) expect(await items.findOne({ _id })).not.toBeNull();
}

/** Resolves after some writes, so that every kill meets a busy server. */
async function untilBusy(progress: Progress, writes: number): Promise<void> {
  while (progress.acknowledged < writes) await new Promise((resolve) => setTimeout(resolve, 1));
}

test.each<{ options: string[] }>([{ options: [] }, { options: ['--no-fsync'] }])(
  `nothing acknowledged is lost by ${KILLS} kills under load, with the options $options`,
  async ({ options }) => {
    const folder = mkdtempSync(join(tmpdir(), 'embedded-mongo-crash-'));
    const data = join(folder, 'data');
    const random = randomNumbers(Number(process.env.CRASH_SEED ?? 1));
    const keysOf = Array.from({ length: WRITERS }, (_, writer) =>
      Array.from({ length: KEYS_PER_WRITER }, (__, at) => `${writer}-${at}`),
    );
    const model = new Map<string, Expected>(
      keysOf.flat().map((key) => [key, { acknowledged: ABSENT, attempted: ABSENT, issued: 0 }]),
    );
    try {
      for (let kill = 0; kill <= KILLS; kill++) {
        const server = await ServerProcess.start(data, ...options);
        const client = await new MongoClient(server.uri).connect();
        const items = client.db('crash').collection<Item>('items');
        await items.createIndexes([{ key: { group: 1 } }, { key: { tags: 1 } }]);
        await verify(items, model);
        if (kill === KILLS) {
          await client.close();
          expect(await server.end('SIGTERM')).toBe(0);
          break;
        }
        const progress = { acknowledged: 0 };
        const writers = keysOf.map((keys) => write(items, keys, model, random, progress));
        await untilBusy(progress, 50 + Math.floor(random() * 500));
        expect(await server.end('SIGKILL')).toBe('SIGKILL');
        // Writers end with their client: they wait for no other server.
        await client.close();
        await Promise.all(writers);
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
  120_000 + KILLS * 10_000,
);
