import type { Commit } from '../objects/commit';
import type { CommitReader } from '../objects/commit-reader';
import { type Person, personNamed } from '../objects/person';
import { GitError } from '../process/errors';
import type { GitRunner } from '../process/run-git';
import type { BranchAdvancer, BranchChange } from './advance-branch';
import { ObjectWriter } from './object-writer';

/** The actor, the branch, and the message of the new commit. */
export interface MergeRequest {
  branch: string;
  /** A resolved commit id to merge, cherry-pick or revert. */
  commitId: string;
  committer: Person;
  message?: string | undefined;
  /** Creates the commit without moving the branch. */
  isDryRun?: boolean | undefined;
}

const NOBODY: Person = { name: 'nobody', email: 'nobody@localhost', date: new Date(0) };

/** Merges, cherry-picks and reverts in a bare repository, by `git merge-tree`, without a work tree. */
export class MergeWriter {
  constructor(
    private readonly git: GitRunner,
    private readonly commits: CommitReader,
    private readonly branches: BranchAdvancer,
  ) {}

  /**
   * The tree that results from merging two resolved commits, or null on conflict. @throws git_too_old before git 2.38
   */
  async mergedTree(repository: string, ours: string, theirs: string): Promise<string | null> {
    const args = ['merge-tree', '--write-tree', '-z', '--allow-unrelated-histories', ours, theirs];
    const { stdout, exitCode } = await this.git.run(repository, args, { exitCodes: [0, 1] }).catch((error) => {
      const isUnknown = error instanceof GitError && /usage: git merge-tree|unknown rev/.test(error.detail);
      throw isUnknown ? new GitError('git_too_old', '', error.detail) : error;
    });
    return exitCode === 0 ? stdout.toString('latin1', 0, 40) : null;
  }

  /**
   * A merge commit of `commitId` into the branch, even if a fast-forward is possible. @throws merge_conflict,
   * branch_not_found
   */
  async merge(repository: string, request: MergeRequest & { message: string }): Promise<BranchChange> {
    return this.branches.advance(repository, request.branch, async (tip) => {
      if (!tip) throw new GitError('branch_not_found');
      const treeId = await this.mergedTree(repository, tip, request.commitId);
      if (!treeId) throw new GitError('merge_conflict');
      const { committer, message, commitId } = request;
      return this.store(repository, { treeId, parentIds: [tip, commitId], author: committer, committer, message });
    });
  }

  /** Moves the branch to a commit that contains all of it. @throws not_fast_forward, branch_not_found */
  async fastForward(
    repository: string,
    { branch, commitId }: { branch: string; commitId: string },
  ): Promise<BranchChange> {
    return this.branches.advance(repository, branch, async (tip) => {
      if (!tip) throw new GitError('branch_not_found');
      const { exitCode } = await this.git.run(repository, ['merge-base', '--is-ancestor', tip, commitId], {
        exitCodes: [0, 1],
      });
      if (exitCode !== 0) throw new GitError('not_fast_forward');
      return commitId;
    });
  }

  /** One commit with all changes of `commitId`, on top of another; no branch moves. @throws merge_conflict */
  async squash(
    repository: string,
    request: { onto: string; commitId: string; committer: Person; message: string },
  ): Promise<string> {
    const { onto, commitId, committer, message } = request;
    const treeId = await this.mergedTree(repository, onto, commitId);
    if (!treeId) throw new GitError('merge_conflict');
    return this.store(repository, { treeId, parentIds: [onto], author: committer, committer, message });
  }

  /**
   * The branch's own commits on top of another commit, oldest first and without merges; those whose change exists
   * already are left out.
   * @throws merge_conflict, branch_not_found
   */
  async rebase(
    repository: string,
    { branch, onto, committer }: { branch: string; onto: string; committer: Person },
  ): Promise<BranchChange> {
    return this.branches.advance(repository, branch, async (tip) => {
      if (!tip) throw new GitError('branch_not_found');
      const range = ['rev-list', '--reverse', '--topo-order', '--no-merges', tip, `^${onto}`];
      const ids = (await this.git.text(repository, range)).split('\n').filter((line) => line !== '');
      let head = onto;
      for (const id of ids) head = await this.replay(repository, id, head, committer);
      return head;
    });
  }

  private async replay(repository: string, id: string, onto: string, committer: Person): Promise<string> {
    const commit = await this.commits.require(repository, id);
    if (commit.parentIds[0] === onto) return id;
    const treeId = await this.threeWay(repository, commit.parentIds[0] ?? null, onto, id);
    if (!treeId) throw new GitError('merge_conflict');
    if (treeId === (await this.treeOf(repository, onto))) return onto;
    const { message } = commit;
    return this.store(repository, { treeId, parentIds: [onto], author: personOf(commit), committer, message });
  }

  /**
   * The commit's change on the branch, with its author. For a merge commit, the difference to its first parent.
   * @throws merge_conflict, nothing_to_apply, revision_unknown
   */
  async cherryPick(repository: string, request: MergeRequest): Promise<BranchChange> {
    const picked = await this.require(repository, request.commitId);
    const message = request.message ?? `${picked.message.trimEnd()}\n\n(cherry picked from commit ${picked.id})`;
    const author = personOf(picked);
    return this.apply(repository, { ...request, message }, author, picked.parentIds[0] ?? null, picked.id);
  }

  /** The reverse of the commit's change, on the branch. @throws the errors of {@link cherryPick} */
  async revert(repository: string, request: MergeRequest): Promise<BranchChange> {
    const reverted = await this.require(repository, request.commitId);
    const message = request.message ?? `Revert "${reverted.title}"\n\nThis reverts ${nameOf(reverted)}`;
    return this.apply(
      repository,
      { ...request, message },
      request.committer,
      reverted.id,
      reverted.parentIds[0] ?? null,
    );
  }

  private async require(repository: string, id: string): Promise<Commit> {
    const commit = await this.commits.get(repository, id);
    if (!commit) throw new GitError('revision_unknown', id);
    return commit;
  }

  private apply(
    repository: string,
    request: MergeRequest & { message: string },
    author: Person,
    from: string | null,
    to: string | null,
  ): Promise<BranchChange> {
    const move = request.isDryRun ? 'tryOut' : 'advance';
    return this.branches[move](repository, request.branch, async (tip) => {
      if (!tip) throw new GitError('branch_not_found');
      const treeId = await this.threeWay(repository, from, tip, to);
      if (!treeId) throw new GitError('merge_conflict');
      if (treeId === (await this.treeOf(repository, tip))) throw new GitError('nothing_to_apply');
      const { committer, message } = request;
      return this.store(repository, { treeId, parentIds: [tip], author, committer, message });
    });
  }

  /**
   * Merges the change from `base` to `theirs` into `ours`. Git before 2.40 does not accept a base, so the three trees
   * are wrapped into commits with the matching ancestry; no ref ever names them.
   */
  private async threeWay(
    repository: string,
    base: string | null,
    ours: string,
    theirs: string | null,
  ): Promise<string | null> {
    const writer = new ObjectWriter(this.git);
    const empty = writer.tree([]);
    const wrap = async (id: string | null, parentIds: string[]) =>
      writer.commit({
        treeId: id ? await this.treeOf(repository, id) : empty,
        parentIds,
        author: NOBODY,
        committer: NOBODY,
        message: parentIds.length > 0 ? `side of ${id}` : 'base',
      });
    const baseId = await wrap(base, []);
    const [oursId, theirsId] = [await wrap(ours, [baseId]), await wrap(theirs, [baseId])];
    await writer.flush(repository);
    return this.mergedTree(repository, oursId, theirsId);
  }

  private async treeOf(repository: string, commitId: string): Promise<string> {
    return (await this.commits.require(repository, commitId)).treeId;
  }

  private async store(repository: string, commit: Parameters<ObjectWriter['commit']>[0]): Promise<string> {
    const writer = new ObjectWriter(this.git);
    const id = writer.commit(commit);
    await writer.flush(repository);
    return id;
  }
}

/** The merge commit of a merge request names its merge request. */
function nameOf({ id, message, parentIds }: Commit): string {
  const [, number] = /^See merge request \S*(!\d+)$/m.exec(message) ?? [];
  return parentIds.length > 1 && number ? `merge request ${number}` : `commit ${id}`;
}

function personOf({ author }: Commit): Person {
  const [, sign, hours, minutes] = /([+-])(\d\d):(\d\d)$/.exec(author.date) ?? ['', '+', '00', '00'];
  const offset = Number(hours) * 60 + Number(minutes);
  return {
    ...personNamed(author.name, author.email),
    date: new Date(author.date),
    offsetMinutes: sign === '-' ? -offset : offset,
  };
}
