import { type Commit, findSignature, parseCommit } from '../objects/commit';
import { ByteQueue } from '../process/byte-queue';
import { checkedOutput } from '../process/checked-output';
import { nextChunk } from '../process/next-chunk';
import type { GitRunner } from '../process/run-git';
import { decodeName } from '../process/text';

/** Refs that are about to move, and the location of their objects before they become part of the repository. */
export interface Incoming {
  repository: string;
  /** Object ids before and after; null for absent. */
  updates: readonly { before: string | null; after: string | null }[];
  /** Git's quarantine folder; absent if the objects are already in the repository. */
  quarantine?: string | undefined;
}

export interface IncomingCommit extends Commit {
  isSigned: boolean;
}

/** A file that commits change. */
export interface IncomingFile {
  path: string;
  /** Whether it is in no parent of its commit. */
  isNew: boolean;
  /** Null for a deletion or a submodule. */
  blobId: string | null;
}

const emptyTree = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';
const submodule = '160000';
/** Time limit of one pass of git over the pushed objects. */
const timeoutMs = 120_000;
const filesAtOnce = 5_000;

const tipsOf = ({ updates }: Incoming): string[] => updates.map(({ after }) => after).filter((after) => after !== null);

/** Reads the objects of a push before the refs move; the number of processes does not depend on its size. */
export class IncomingReader {
  constructor(private readonly git: GitRunner) {}

  /** Ids of commits that no ref other than notes contains yet, newest first; at most `most` and one more. */
  async newCommits(incoming: Incoming, most: number): Promise<string[]> {
    const tips = tipsOf(incoming);
    if (tips.length === 0) return [];
    // Commits that only notes contain were never checked.
    const args = ['rev-list', '--stdin', `--max-count=${most + 1}`, '--not', '--exclude=refs/notes/*', '--all'];
    const input = tips.map((id) => `${id}\n`).join('');
    return (await this.run(incoming, args, input)).toString('latin1').split('\n').filter(Boolean);
  }

  /** @param ids a batch: all of the commits are in memory */
  async commits(incoming: Incoming, ids: readonly string[]): Promise<IncomingCommit[]> {
    const objects = await this.contents(incoming, ids);
    return ids.flatMap((id) => {
      const content = objects.get(id);
      return content ? [{ ...parseCommit(id, content), isSigned: findSignature(content) !== null }] : [];
    });
  }

  /** Files that commits change against all their parents, in batches. A rename is a removal and an addition. */
  files(incoming: Incoming, commitIds: readonly string[]): AsyncGenerator<IncomingFile[]> {
    const args = ['diff-tree', '--stdin', '--root', '-c', '--no-commit-id'];
    return this.differences(incoming, args, commitIds.map((id) => `${id}\n`).join(''));
  }

  /** Files at the new heads that differ from the old ones; all files of a new branch or tag. */
  async *filesOfTips(incoming: Incoming): AsyncGenerator<IncomingFile[]> {
    for (const { before, after } of incoming.updates) {
      if (after !== null) yield* this.differences(incoming, ['diff-tree', before ?? emptyTree, after], '');
    }
  }

  /** Sizes of objects in bytes, by id. */
  async sizes(incoming: Incoming, ids: readonly string[]): Promise<Map<string, number>> {
    const args = ['cat-file', '--batch-check=%(objectname) %(objectsize)'];
    const output = await this.run(incoming, args, ids.map((id) => `${id}\n`).join(''));
    const lines = output.toString('latin1').split('\n').filter(Boolean);
    return new Map(lines.map((line) => [line.slice(0, 40), Number(line.slice(41))]));
  }

  /** Whole objects, by id; together they must fit into memory. @throws object_too_large */
  async contents(incoming: Incoming, ids: readonly string[]): Promise<Map<string, Buffer>> {
    const queue = new ByteQueue();
    queue.push(await this.run(incoming, ['cat-file', '--batch'], ids.map((id) => `${id}\n`).join('')));
    const objects = new Map<string, Buffer>();
    for (let line = queue.takeLine(); line; line = queue.takeLine()) {
      const [id = '', , size] = line.toString('latin1').split(' ');
      const content = size === undefined ? null : queue.take(Number(size) + 1);
      if (content) objects.set(id, content.subarray(0, -1));
    }
    return objects;
  }

  private async run({ repository, quarantine }: Incoming, args: string[], input: string): Promise<Buffer> {
    const env = environmentOf(repository, quarantine);
    return (await this.git.run(repository, args, { input, env, timeoutMs })).stdout;
  }

  private async *differences(
    { repository, quarantine }: Incoming,
    [command = '', ...args]: string[],
    input: string,
  ): AsyncGenerator<IncomingFile[]> {
    const env = environmentOf(repository, quarantine);
    const wanted = [command, '-r', '-z', '--raw', '--no-renames', '--no-abbrev', ...args];
    const child = await this.git.open(repository, wanted, { env, timeoutMs });
    child.stdin.end(input);
    const output = checkedOutput(child, repository, command);
    try {
      let rest = '';
      for (let chunk = await nextChunk(output); chunk; chunk = await nextChunk(output)) {
        const words = (rest + chunk.toString('latin1')).split('\0');
        // A description and a path form a pair.
        const whole = words.length - 1 - ((words.length - 1) % 2);
        rest = words.slice(whole).join('\0');
        for (let at = 0; at < whole; at += 2 * filesAtOnce)
          yield filesOf(words.slice(at, Math.min(whole, at + 2 * filesAtOnce)));
      }
    } finally {
      output.destroy();
    }
  }
}

function environmentOf(repository: string, quarantine: string | undefined): Record<string, string> {
  if (quarantine === undefined) return {};
  return { GIT_OBJECT_DIRECTORY: quarantine, GIT_ALTERNATE_OBJECT_DIRECTORIES: `${repository}/objects` };
}

/** A description has modes, ids and a letter for each parent: `::100644 100644 100644 <id> <id> <id> MM`. */
function filesOf(words: readonly string[]): IncomingFile[] {
  const files: IncomingFile[] = [];
  for (let at = 0; at + 1 < words.length; at += 2) {
    const [description = '', path = ''] = [words[at], words[at + 1]];
    const parents = /^:+/.exec(description)?.[0].length ?? 1;
    const parts = description.slice(parents).split(' ');
    const [mode, id = '', letters = ''] = [parts[parents], parts[2 * parents + 1], parts[2 * parents + 2]];
    const isContent = mode !== submodule && !/^0+$/.test(id);
    files.push({
      path: decodeName(Buffer.from(path, 'latin1')),
      isNew: /^A+$/.test(letters),
      blobId: isContent ? id : null,
    });
  }
  return files;
}
