import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ObjectReader } from '../objects/object-reader';
import type { RefLine } from '../objects/ref-files';
import { isRefname } from '../objects/revision';
import { GitError } from '../process/errors';
import type { GitRunner } from '../process/run-git';
import { decodeName } from '../process/text';
import { removeStaleLocks } from './stale-locks';

/** A branch or tag as git stores it. */
export interface Ref {
  /** Without `refs/heads/` or `refs/tags/`. */
  name: string;
  /** The object of the ref: a tag object for annotated tags. */
  targetId: string;
  targetType: string;
  /** The commit after peeling; null if it leads to none. */
  commitId: string | null;
}

/** A requested change of one ref; null stands for absent. */
export interface RefUpdate {
  refName: string;
  before: string | null;
  after: string | null;
}

export type RefKind = 'heads' | 'tags';
/** Includes heads of merge requests, named `<iid>/head`. */
type Named = RefKind | 'merge-requests';

/** Records each change of refs before it is made, so that its event is published even after a crash in between. */
export interface RefJournal {
  /** @returns a function to call with the outcome */
  begin(repository: string, updates: readonly RefUpdate[]): Promise<(haveMoved: boolean) => Promise<void>>;
}

const ZERO = '0'.repeat(40);
/** Refs processed before other work gets a turn: about two milliseconds. */
const REFS_IN_A_ROW = 500;

/** Branches and tags: lists, and atomic changes. */
export class RefStore {
  /** Refs with their objects, by lists that are the same while nothing changes. */
  private readonly described = new WeakMap<readonly RefLine[], Promise<readonly Ref[]>>();

  constructor(
    private readonly git: GitRunner,
    private readonly objects: ObjectReader,
    private readonly journal?: RefJournal,
  ) {}

  /** All refs of a kind, by name: the same array while nothing has changed. */
  async list(repository: string, kind: RefKind): Promise<readonly Ref[]> {
    const lines = await this.objects.refs.list(repository, `refs/${kind}`);
    const known = this.described.get(lines);
    if (known !== undefined) return known;
    const refs = this.describeAll(repository, kind, lines);
    this.described.set(lines, refs);
    refs.catch(() => this.described.delete(lines));
    return refs;
  }

  /** Names of the refs of a kind whose history has a resolved commit, in their order. */
  async namesContaining(repository: string, kind: Named, commitId: string): Promise<string[]> {
    const args = ['for-each-ref', '--format=%(refname)', `--contains=${commitId}`, `refs/${kind}/`];
    const { stdout } = await this.git.run(repository, args);
    return stdout
      .toString('latin1')
      .split('\n')
      .filter(Boolean)
      .map((line) => nameOf(line, kind));
  }

  async find(repository: string, kind: RefKind, name: string): Promise<Ref | null> {
    const refName = `refs/${kind}/${name}`;
    if (!isRefname(refName)) return null;
    const id = await this.objects.refs.read(repository, refName);
    return id === null ? null : this.withTarget(repository, name, id);
  }

  /** Creates one ref. @throws `exists` if it exists by now, ref_moved if it is locked, ref_conflict */
  async create(repository: string, refName: string, target: string, exists: GitError): Promise<void> {
    try {
      await this.update(repository, [{ refName, before: null, after: target }]);
    } catch (error) {
      throw (await this.objects.readRef(repository, refName)) ? exists : error;
    }
  }

  /**
   * Changes refs in one transaction, each only if its value is `before`.
   * @throws ref_moved if one differs, ref_conflict for `a` beside `a/b`
   */
  async update(repository: string, updates: readonly RefUpdate[]): Promise<void> {
    await removeStaleLocks(
      repository,
      updates.map(({ refName }) => refName),
    );
    const lines = updates.map(({ refName, before, after }) =>
      after === null ? `delete ${refName}\0${before ?? ''}\0` : `update ${refName}\0${after}\0${before ?? ZERO}\0`,
    );
    const end = await this.journal?.begin(repository, updates);
    try {
      await this.git.run(repository, ['update-ref', '--stdin', '-z'], {
        input: `start\0${lines.join('')}prepare\0commit\0`,
      });
    } catch (error) {
      await end?.(false);
      throw explain(error);
    }
    await end?.(true);
  }

  private async describeAll(repository: string, kind: RefKind, lines: readonly RefLine[]): Promise<Ref[]> {
    const refs: Ref[] = [];
    for (let start = 0; start < lines.length; start += REFS_IN_A_ROW) {
      if (start > 0) await nextTurn();
      const some = lines.slice(start, start + REFS_IN_A_ROW);
      refs.push(
        ...(await Promise.all(some.map(({ name, id }) => this.withTarget(repository, nameOf(name, kind), id)))),
      );
    }
    return refs;
  }

  private async withTarget(repository: string, name: string, targetId: string): Promise<Ref> {
    const { type, commitId } = await this.objects.target(repository, targetId);
    return { name, targetId, targetType: type, commitId };
  }
}

/** As text, without `refs/heads/`. */
function nameOf(refName: string, kind: Named): string {
  return decodeName(Buffer.from(refName, 'latin1')).slice(`refs/${kind}/`.length);
}

/** @see docs/api/repository.md#7: `^x` starts with, `x$` ends with, else contains */
export function matches(name: string, search: string): boolean {
  const lower = name.toLowerCase();
  const wanted = search.toLowerCase();
  if (wanted.startsWith('^')) return lower.startsWith(wanted.slice(1));
  if (wanted.endsWith('$')) return lower.endsWith(wanted.slice(0, -1));
  return lower.includes(wanted);
}

function explain(error: unknown): unknown {
  if (!(error instanceof GitError) || error.reason !== 'git_failed') return error;
  const [, conflict] = /'(refs\/[^']+)' exists; cannot create/.exec(error.detail) ?? [];
  if (conflict) return new GitError('ref_conflict', conflict.replace(/^refs\/(heads|tags)\//, ''), error.detail);
  const hasMoved =
    /but expected|reference already exists|unable to resolve reference|Unable to create '[^']*(?<=\.lock)'/.test(
      error.detail,
    );
  return hasMoved ? new GitError('ref_moved', '', error.detail) : error;
}
