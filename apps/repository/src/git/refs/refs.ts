import type { ObjectReader } from '../objects/object-reader';
import { GitError } from '../process/errors';
import type { GitRunner } from '../process/run-git';
import { decodeName } from '../process/text';
import { removeStaleLocks } from './stale-locks';

/** A branch or tag as git stores it. */
export interface Ref {
  /** Without `refs/heads/` or `refs/tags/`. */
  name: string;
  /** What the ref points to: a tag object for annotated tags. */
  targetId: string;
  targetType: string;
  /** The commit in the end; null when it leads to none. */
  commitId: string | null;
}

/** A change of one ref that somebody asks for; null stands for absent. */
export interface RefUpdate {
  refName: string;
  before: string | null;
  after: string | null;
}

export type RefKind = 'heads' | 'tags';

/** Hears of each change of refs before it is made, so that it can be told of even after a crash in between. */
export interface RefJournal {
  /** @returns called once it is known whether the refs have moved */
  begin(repository: string, updates: readonly RefUpdate[]): Promise<(haveMoved: boolean) => Promise<void>>;
}

const ZERO = '0'.repeat(40);
const FIELDS = '%(refname)%00%(objectname)%00%(objecttype)%00%(*objectname)%00%(*objecttype)';

/** Branches and tags: lists, and changes that either happen whole or not at all. */
export class RefStore {
  constructor(
    private readonly git: GitRunner,
    private readonly objects: ObjectReader,
    private readonly journal?: RefJournal,
  ) {}

  /**
   * All refs of a kind, by name.
   * @param search `^start`, `end$`, or text anywhere; upper and lower case alike
   * @param containing only refs whose history has this resolved commit; `mergedInto` only those inside its history
   */
  async list(
    repository: string,
    kind: RefKind,
    options: { search?: string | undefined; containing?: string | undefined; mergedInto?: string | undefined } = {},
  ): Promise<Ref[]> {
    const args = ['for-each-ref', `--format=${FIELDS}`];
    if (options.containing) args.push(`--contains=${options.containing}`);
    if (options.mergedInto) args.push(`--merged=${options.mergedInto}`);
    const { stdout } = await this.git.run(repository, [...args, `refs/${kind}/`]);
    const refs = stdout
      .toString('latin1')
      .split('\n')
      .filter(Boolean)
      .map((line) => readRef(line, kind));
    const { search } = options;
    return search ? refs.filter((ref) => matches(ref.name, search)) : refs;
  }

  async find(repository: string, kind: RefKind, name: string): Promise<Ref | null> {
    const refName = `refs/${kind}/${name}`;
    const target = await this.objects.readRef(repository, refName);
    if (!target) return null;
    const commit = target.type === 'commit' ? target.id : await this.objects.resolve(repository, refName);
    return { name, targetId: target.id, targetType: target.type, commitId: commit };
  }

  /** Makes one ref. @throws `exists` when another was faster, ref_moved when it is locked, ref_conflict */
  async create(repository: string, refName: string, target: string, exists: GitError): Promise<void> {
    try {
      await this.update(repository, [{ refName, before: null, after: target }]);
    } catch (error) {
      throw (await this.objects.readRef(repository, refName)) ? exists : error;
    }
  }

  /**
   * Changes refs in one transaction, each only when it still is as `before` says.
   * @throws ref_moved when one is not, ref_conflict for `a` beside `a/b`
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
}

function readRef(line: string, kind: RefKind): Ref {
  const [refName, id, type, peeledId, peeledType] = line.split('\0') as [string, string, string, string, string];
  const isCommit = type === 'commit' || peeledType === 'commit';
  return {
    name: decodeName(Buffer.from(refName, 'latin1')).slice(`refs/${kind}/`.length),
    targetId: id,
    targetType: type,
    commitId: isCommit ? peeledId || id : null,
  };
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
