import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { CommitReader } from '../objects/commit-reader';
import { looseBlobs } from '../objects/loose-blobs';
import type { ObjectReader } from '../objects/object-reader';
import type { TreeReader } from '../objects/tree';
import { ByteQueue } from '../process/byte-queue';
import { checkedOutput } from '../process/checked-output';
import { nextChunk } from '../process/next-chunk';
import type { GitRunner } from '../process/run-git';
import type { Incoming, IncomingReader } from './incoming';

/** Sizes of blobs to read. */
export interface SizeRange {
  least: number;
  most: number;
}

const timeoutMs = 120_000;
const atOnce = 5_000;

/**
 * Contents of small blobs that a push adds. Small pushes are loose objects in the quarantine, and commits by the API
 * contain few new objects: these need no process.
 */
export class SmallBlobReader {
  constructor(
    private readonly git: GitRunner,
    private readonly incoming: IncomingReader,
    private readonly objects: ObjectReader,
    private readonly commits: CommitReader,
    private readonly trees: TreeReader,
  ) {}

  /** In batches: all of a batch are in memory. */
  async *read(incoming: Incoming, size: SizeRange): AsyncGenerator<Buffer[]> {
    const { repository, quarantine } = incoming;
    if (quarantine !== undefined) {
      if (await hasPack(quarantine)) yield* this.listed(incoming, this.arrived(incoming, size), size);
      else yield* inParts(looseBlobs(quarantine, size));
      return;
    }
    const ids = await this.broughtBy(incoming);
    if (ids) yield* inParts(this.contents(repository, ids, size));
    else yield* this.listed(incoming, this.unreached(incoming, size), size);
  }

  /** All small blobs of a repository, within a time limit that includes the caller's work on each. */
  async *all(repository: string, size: SizeRange, withinMs: number): AsyncGenerator<Buffer[]> {
    yield* this.listed({ repository, updates: [] }, this.stored(repository, {}, size, withinMs), size);
  }

  /**
   * Blobs of commits made by the API, whose parents are known; null for other commits, for which only git knows the new
   * objects. A blob may exist already.
   */
  private async broughtBy({ repository, updates }: Incoming): Promise<Set<string> | null> {
    const tips = new Set((await this.objects.refs.list(repository, 'refs')).map(({ id }) => id));
    const found = new Set<string>();
    for (const { after } of updates) {
      if (after === null || tips.has(after)) continue;
      const commit = await this.commits.find(repository, after);
      if (commit && tips.has(commit.id)) continue;
      const parents = await Promise.all((commit?.parentIds ?? []).map((id) => this.commits.get(repository, id)));
      const known = parents.filter((parent) => parent !== null);
      if (!commit || known.length < parents.length || !known.every(({ id }) => tips.has(id))) return null;
      await this.addBlobs(
        repository,
        commit.treeId,
        known.map(({ treeId }) => treeId),
        found,
      );
    }
    return found;
  }

  /** Files that a folder adds compared with all its former versions. */
  private async addBlobs(
    repository: string,
    treeId: string,
    before: readonly string[],
    found: Set<string>,
  ): Promise<void> {
    const former = await Promise.all(before.map((id) => this.trees.entries(repository, id)));
    const known = new Set(former.flat().map(({ id }) => id));
    for (const { id, name, type } of await this.trees.entries(repository, treeId)) {
      if (known.has(id)) continue;
      if (type === 'blob') found.add(id);
      if (type !== 'tree') continue;
      const same = former.flatMap((entries) => entries.filter((entry) => entry.name === name && entry.type === 'tree'));
      await this.addBlobs(
        repository,
        id,
        same.map((entry) => entry.id),
        found,
      );
    }
  }

  private async *contents(
    repository: string,
    ids: Iterable<string>,
    { least, most }: SizeRange,
  ): AsyncGenerator<Buffer> {
    for (const id of ids) {
      const info = await this.objects.info(repository, id);
      if (!info || info.sizeBytes < least || info.sizeBytes > most) continue;
      const object = await this.objects.read(repository, id);
      if (object) yield object.content;
    }
  }

  /** Ids in a pack. Only in the quarantine: deltas get their base there. */
  private arrived({ repository, quarantine = '' }: Incoming, size: SizeRange): AsyncGenerator<string> {
    return this.stored(repository, { GIT_OBJECT_DIRECTORY: quarantine }, size);
  }

  /** Ids in an objects folder, reachable or not. */
  private stored(
    repository: string,
    env: Record<string, string>,
    { least, most }: SizeRange,
    withinMs = timeoutMs,
  ): AsyncGenerator<string> {
    const args = [
      'cat-file',
      '--batch-all-objects',
      '--unordered',
      '--batch-check=%(objecttype) %(objectsize) %(objectname)',
    ];
    const read = (line: string) => {
      const [type, size, id] = line.split(' ');
      return type === 'blob' && Number(size) >= least && Number(size) <= most ? id : undefined;
    };
    return this.lines(repository, args, '', env, read, withinMs);
  }

  /** Ids that are not reachable from any ref yet, without large blobs. */
  private unreached({ repository, updates }: Incoming, { most }: SizeRange): AsyncGenerator<string> {
    const filter = `--filter=blob:limit=${most + 1}`;
    const args = [
      'rev-list',
      '--objects',
      '--no-object-names',
      filter,
      '--stdin',
      '--not',
      '--exclude=refs/notes/*',
      '--all',
    ];
    const input = updates.map(({ after }) => (after === null ? '' : `${after}\n`)).join('');
    return this.lines(repository, args, input, {}, (line) => line);
  }

  /** Their contents, if their size matches. */
  private async *listed(
    incoming: Incoming,
    ids: AsyncIterable<string>,
    { least, most }: SizeRange,
  ): AsyncGenerator<Buffer[]> {
    for await (const some of inParts(ids)) {
      const sizes = await this.incoming.sizes(incoming, some);
      const small = some.filter((id) => (sizes.get(id) ?? 0) >= least && (sizes.get(id) ?? 0) <= most);
      if (small.length > 0) yield [...(await this.incoming.contents(incoming, small)).values()];
    }
  }

  private async *lines(
    repository: string,
    args: string[],
    input: string,
    env: Record<string, string>,
    read: (line: string) => string | undefined,
    withinMs = timeoutMs,
  ): AsyncGenerator<string> {
    const child = await this.git.open(repository, args, { env, timeoutMs: withinMs });
    child.stdin.end(input);
    const output = checkedOutput(child, repository, args[0] ?? '');
    try {
      const queue = new ByteQueue();
      for (let chunk = await nextChunk(output); chunk; chunk = await nextChunk(output)) {
        queue.push(chunk);
        for (let line = queue.takeLine(); line; line = queue.takeLine()) {
          const found = read(line.toString('latin1'));
          if (found !== undefined) yield found;
        }
      }
    } finally {
      output.destroy();
    }
  }
}

const hasPack = async (folder: string): Promise<boolean> =>
  (await readdir(join(folder, 'pack')).catch(() => [])).some((name) => name.endsWith('.pack'));

async function* inParts<T>(all: AsyncIterable<T>): AsyncGenerator<T[]> {
  let part: T[] = [];
  for await (const one of all) {
    part.push(one);
    if (part.length < atOnce) continue;
    yield part;
    part = [];
  }
  if (part.length > 0) yield part;
}
