import type { ObjectReader } from '../objects/object-reader';
import { isBranchOrTagName } from '../objects/revision';
import { GitError } from '../process/errors';
import type { RefStore } from '../refs/refs';

/** The change of a branch by a write. */
export interface BranchChange {
  branch: string;
  /** Null if the branch is new. */
  before: string | null;
  after: string;
}

const ATTEMPTS = 5;

/**
 * Moves branches to new commits. Writers of one branch take turns within this process; a concurrent push is detected by
 * compare-and-swap, and the commit is built again on the new head.
 */
export class BranchAdvancer {
  private readonly turns = new Map<string, Promise<unknown>>();

  constructor(
    private readonly objects: ObjectReader,
    private readonly refs: RefStore,
  ) {}

  /**
   * @param build creates the commit for the branch's current head (null: no such branch) and returns its id
   * @throws refname_invalid, ref_conflict, ref_moved if others kept winning, and the errors of `build`
   */
  async advance(
    repository: string,
    branch: string,
    build: (tip: string | null) => Promise<string>,
  ): Promise<BranchChange> {
    if (!isBranchOrTagName(branch)) throw new GitError('refname_invalid');
    return this.takeTurn(`${repository}\0${branch}`, () => this.attempt(repository, branch, build));
  }

  /** The result of {@link advance} without moving the branch. @throws refname_invalid, and the errors of `build` */
  async tryOut(
    repository: string,
    branch: string,
    build: (tip: string | null) => Promise<string>,
  ): Promise<BranchChange> {
    if (!isBranchOrTagName(branch)) throw new GitError('refname_invalid');
    const before = (await this.objects.readRef(repository, `refs/heads/${branch}`))?.id ?? null;
    return { branch, before, after: await build(before) };
  }

  private async attempt(
    repository: string,
    branch: string,
    build: (tip: string | null) => Promise<string>,
  ): Promise<BranchChange> {
    const refName = `refs/heads/${branch}`;
    for (let attempt = 1; ; attempt++) {
      const before = (await this.objects.readRef(repository, refName))?.id ?? null;
      const after = await build(before);
      try {
        await this.refs.update(repository, [{ refName, before, after }]);
        return { branch, before, after };
      } catch (error) {
        const hasMoved = error instanceof GitError && error.reason === 'ref_moved';
        if (!hasMoved || attempt === ATTEMPTS) throw error;
      }
    }
  }

  private async takeTurn<T>(key: string, work: () => Promise<T>): Promise<T> {
    const turn = (this.turns.get(key) ?? Promise.resolve()).then(work, work);
    this.turns.set(key, turn);
    try {
      return await turn;
    } finally {
      if (this.turns.get(key) === turn) this.turns.delete(key);
    }
  }
}
