import {
  type Caller,
  type ContextOf,
  mergeBranches,
  mergeErrors,
  notHeadMessage,
  type ParsedOf,
  type ProjectRef,
  present,
} from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { GitError } from '../git/process/errors';
import { ProtectedRefs } from '../protection/protected-ref.repository';
import { actorOf } from '../protection/protections';
import { CodeWriter, personOf } from '../push/code-writer';
import type { Located } from '../storage/storages';
import { isFork, MergeSides, tipOf } from './merge-sides';

type Input = ParsedOf<typeof mergeBranches>;
type Context = { project: ProjectRef; caller: Caller; requestId: string };

/** Merges in the caller's name, with the merge method of the project. */
@Controller()
export class PerformMerge {
  constructor(
    private readonly sides: MergeSides,
    private readonly writer: CodeWriter,
    private readonly refs: ProtectedRefs,
  ) {}

  @Handles(mergeBranches)
  async handle({ project, caller, requestId }: ContextOf<typeof mergeBranches>, input: Input) {
    const context = { project, caller, requestId };
    const protections = await this.refs.readProtections(project.id, { kind: 'branch', names: [input.target_branch] });
    if (!protections.canMerge(input.target_branch, actorOf(project, caller))) throw mergeErrors.notAllowed();
    const { located, source, target } = await this.sides.find(project, input);
    const head = source ?? input.sha;
    if (!head || !target) throw mergeErrors.notMergeable();
    if (input.sha && input.sha !== head) throw mergeErrors.sourceMoved(notHeadMessage(head));
    const done = await this.doneBefore(located, input, head, target);
    const merged = done ?? (await this.writer.change(context, () => this.merge(located, input, context, head)));
    return { ...merged, source_branch_removed: await this.removeSource(context, located, input, head) };
  }

  /** A retry after a lost answer finds its own merge commit in the target. */
  private async doneBefore({ engine, path }: Located, input: Input, head: string, target: string) {
    if (input.squash) return this.squashedBefore({ engine, path }, input, head, target);
    if (!(await engine.reachability.isAncestor(path, head, target))) return undefined;
    const onTarget = await engine.log.list(path, { from: target, not: [head], firstParent: true, limit: 100 });
    const commit = onTarget.find(({ parentIds }) => parentIds[1] === head);
    return { merge_commit_sha: commit?.id ?? null, squash_commit_sha: null, target_sha: target };
  }

  /** The source has nothing left to merge, and a recent commit with that message has the same content as the source. */
  private async squashedBefore({ engine, path }: Located, input: Input, head: string, target: string) {
    const tip = await engine.commits.get(path, target);
    if ((await engine.merges.mergedTree(path, target, head)) !== tip?.treeId) return undefined;
    const message = (input.squash_message ?? input.message).trimEnd();
    const late = await engine.log.list(path, { from: target, not: [head], limit: 100 });
    for (const commit of late.filter((one) => one.parentIds.length === 1 && one.message.trimEnd() === message)) {
      if ((await engine.merges.mergedTree(path, commit.parentIds[0] ?? '', head)) !== commit.treeId) continue;
      const merge = late.find(({ parentIds }) => parentIds[1] === commit.id);
      return { merge_commit_sha: merge?.id ?? null, squash_commit_sha: commit.id, target_sha: target };
    }
    return undefined;
  }

  private async merge({ engine, path }: Located, input: Input, { caller }: Context, head: string) {
    const committer = personOf(caller);
    const squashed = input.squash ? await this.squash({ engine, path }, input, caller, head) : null;
    const commitId = squashed ?? head;
    const branch = input.target_branch;
    const isFastForward = input.method === 'ff';
    try {
      const { after } = isFastForward
        ? await engine.merges.fastForward(path, { branch, commitId })
        : await engine.merges.merge(path, { branch, commitId, committer, message: input.message });
      return { merge_commit_sha: isFastForward ? null : after, squash_commit_sha: squashed, target_sha: after };
    } catch (error) {
      throw explain(error);
    }
  }

  /** All commits of the source as one commit on top of the target. */
  private async squash({ engine, path }: Located, input: Input, caller: Caller, head: string): Promise<string> {
    const target = await tipOf({ engine, path }, input.target_branch);
    const committer = personOf(caller);
    const message = input.squash_message ?? input.message;
    try {
      return await engine.merges.squash(path, {
        onto: present(target, 'the target branch'),
        commitId: head,
        committer,
        message,
      });
    } catch (error) {
      throw explain(error);
    }
  }

  /** Skipped if the branch was pushed meanwhile. */
  private async removeSource(context: Context, located: Located, input: Input, head: string): Promise<boolean> {
    if (!input.remove_source_branch || isFork(context.project, input)) return false;
    const { engine, path } = located;
    const protections = await this.refs.readProtections(context.project.id, {
      kind: 'branch',
      names: [input.source_branch],
    });
    if (protections.isProtected('branch', input.source_branch)) return false;
    if ((await tipOf(located, input.source_branch)) !== head) return false;
    if ((await engine.storage.defaultBranch(path)) === input.source_branch) return false;
    await this.writer.change(context, () =>
      engine.refs.update(path, [{ refName: `refs/heads/${input.source_branch}`, before: head, after: null }]),
    );
    return true;
  }
}

function explain(error: unknown): unknown {
  if (!(error instanceof GitError)) return error;
  if (error.reason === 'merge_conflict' || error.reason === 'branch_not_found') return mergeErrors.notMergeable();
  return error.reason === 'not_fast_forward' ? mergeErrors.notFastForward() : error;
}
