import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { deflate, type InputType, type ZlibOptions } from 'node:zlib';
import type { ObjectType } from '../objects/cat-file';
import { formatSignature, type Person } from '../objects/person';
import { failureOf, type GitRunner } from '../process/run-git';

const PACK_TYPES: Record<ObjectType, number> = { commit: 1, tree: 2, blob: 3, tag: 4 };
const compress = promisify<InputType, ZlibOptions, Buffer>(deflate);

/** An entry of a tree to write, with its name as bytes in Latin-1. */
export interface NewTreeEntry {
  name: string;
  mode: string;
  id: string;
}

/**
 * Collects new objects, whose ids are known at once, and stores all of them with one process. Until a ref names them
 * they are unreachable: a crash at any point leaves the repository unchanged.
 */
export class ObjectWriter {
  private readonly objects = new Map<string, { type: ObjectType; content: Buffer }>();

  constructor(private readonly git: GitRunner) {}

  blob(content: Buffer): string {
    return this.add('blob', content);
  }

  tree(entries: readonly NewTreeEntry[]): string {
    const sorted = [...entries].sort((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1));
    const parts = sorted.map(({ name, mode, id }) =>
      Buffer.concat([Buffer.from(`${mode.replace(/^0+/, '')} ${name}\0`, 'latin1'), Buffer.from(id, 'hex')]),
    );
    return this.add('tree', Buffer.concat(parts));
  }

  /** @throws author_invalid */
  commit(commit: {
    treeId: string;
    parentIds: readonly string[];
    author: Person;
    committer: Person;
    message: string;
  }): string {
    const lines = [
      `tree ${commit.treeId}`,
      ...commit.parentIds.map((id) => `parent ${id}`),
      `author ${formatSignature(commit.author)}`,
      `committer ${formatSignature(commit.committer)}`,
    ];
    return this.add('commit', Buffer.from(`${lines.join('\n')}\n\n${commit.message.replaceAll('\0', '')}`));
  }

  /**
   * Stores all collected objects; git checks each of them and that the objects it names exist.
   * @throws git_failed, disk_full, repository_not_found
   */
  async flush(repository: string, signal?: AbortSignal): Promise<void> {
    if (this.objects.size === 0) return;
    const args = ['unpack-objects', '-q', '--strict'];
    const { stderr } = await this.git.run(repository, args, { input: await this.pack(), signal });
    // With `core.fsyncMethod=batch`, git reports an object that it could not move into place on stderr, and exits with 0.
    if (/^error: /m.test(stderr)) throw failureOf(repository, `git unpack-objects: ${stderr}`);
    this.objects.clear();
  }

  private add(type: ObjectType, content: Buffer): string {
    const id = createHash('sha1').update(`${type} ${content.length}\0`).update(content).digest('hex');
    this.objects.set(id, { type, content });
    return id;
  }

  /** A version 2 pack: header, each object as type, size and compressed content, and a checksum. */
  private async pack(): Promise<Buffer> {
    const header = Buffer.from('PACK\0\0\0\x02\0\0\0\0', 'latin1');
    header.writeUInt32BE(this.objects.size, 8);
    const parts: Buffer[] = [header];
    for (const { type, content } of this.objects.values()) {
      parts.push(entryHeader(PACK_TYPES[type], content.length), await compress(content, { level: 1 }));
    }
    const pack = Buffer.concat(parts);
    return Buffer.concat([pack, createHash('sha1').update(pack).digest()]);
  }
}

/** Git sorts folders as if their names ended with a slash. */
function sortKey({ name, mode }: NewTreeEntry): string {
  return mode === '040000' ? `${name}/` : name;
}

/** Type in three bits, then the size in four and then seven bits per byte, low bits first. */
function entryHeader(type: number, size: number): Buffer {
  const bytes: number[] = [];
  let last = (type << 4) | (size & 0x0f);
  for (let rest = Math.floor(size / 16); rest > 0; rest = Math.floor(rest / 128)) {
    bytes.push(last | 0x80);
    last = rest & 0x7f;
  }
  bytes.push(last);
  return Buffer.from(bytes);
}
