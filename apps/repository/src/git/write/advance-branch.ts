import type { ObjectReader } from '../objects/object-reader';
import { isBranchOrTagName } from '../objects/revision';
import { GitError } from '../process/errors';
import type { RefStore } from '../refs/refs';

/** What a write did to a branch. */
export interface BranchChange {
  branch: string;
  /** Null when the branch is new. */
  before: string | null;
  after: string;
}

const ATTEMPTS = 5;

/**
 * Moves branches to new commits. Writers on one branch take turns within this process; a push in between is noticed by
 * compare-and-swap, and the commit is built again on what the push left.
 */
export class BranchAdvancer {
  private readonly turns = new Map<string, Promise<unknown>>();

  constructor(
    private readonly objects: ObjectReader,
    private readonly refs: RefStore,
  ) {}

  /**
   * @param build makes the commit for the branch's present tip (null: no such branch) and returns its id
   * @throws refname_invalid, ref_conflict, ref_moved when others kept winning, and what `build` throws
   */
  async advance(
    repository: string,
    branch: string,
    build: (tip: string | null) => Promise<string>,
  ): Promise<BranchChange> {
    if (!isBranchOrTagName(branch)) throw new GitError('refname_invalid');
    return this.takeTurn(`${repository}\0${branch}`, () => this.attempt(repository, branch, build));
  }

  /** What {@link advance} would do now, without the branch moving. @throws refname_invalid, and what `build` throws */
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
