import { type ContextOf, mergeErrors, type ParsedOf, rebaseBranch } from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { RepositoryCopies } from '../copies/bring-objects';
import { GitError } from '../git/process/errors';
import { ProtectedRefs } from '../protection/protected-ref.repository';
import { actorOf } from '../protection/protections';
import { CodeWriter, personOf } from '../push/code-writer';
import { Storages } from '../storage/storages';
import { tipOf } from './merge-sides';

/** Rebases a branch onto another branch. */
@Controller()
export class RebaseBranch {
  constructor(
    private readonly storages: Storages,
    private readonly copies: RepositoryCopies,
    private readonly writer: CodeWriter,
    private readonly refs: ProtectedRefs,
  ) {}

  @Handles(rebaseBranch)
  async handle({ project, caller }: ContextOf<typeof rebaseBranch>, input: ParsedOf<typeof rebaseBranch>) {
    const context = { project, caller };
    const protections = await this.refs.readProtections(project.id, { kind: 'branch', names: [input.source_branch] });
    const isAllowed = protections.canPush(input.source_branch, actorOf(project, caller));
    if (!isAllowed || !protections.canForcePush(input.source_branch)) throw mergeErrors.notAllowed();
    const located = this.storages.locate(project);
    const other = input.target_project;
    const onto =
      other && other.id !== project.id
        ? await this.copies.bringBranch(located, other, input.target_branch)
        : await tipOf(located, input.target_branch);
    if (!onto) throw mergeErrors.notMergeable();
    const { after } = await this.writer.change(context, ({ engine, path }) =>
      engine.merges
        .rebase(path, { branch: input.source_branch, onto, committer: personOf(caller) })
        .catch((error: unknown) => {
          const isRefusal = error instanceof GitError && ['merge_conflict', 'branch_not_found'].includes(error.reason);
          throw isRefusal ? mergeErrors.notMergeable() : error;
        }),
    );
    return { sha: after };
  }
}
