import {
  addContextCommits,
  type Caller,
  type ContextOf,
  contentErrors,
  contextCommitErrors,
  getCommit,
  isError,
  listContextCommits,
  mostContextCommits,
  type OutputOf,
  type ParsedOf,
  type ProjectRef,
  removeContextCommits,
  window,
} from '@moothall/contracts';
import { Handles, OperationClient } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { ChangeIssuable } from '../../issuable/change-issuable';
import { requireWritable } from '../../parent/require-writable';
import { MergeRequests } from '../record/merge-request.repository';
import type { MergeRequestDocument } from '../record/merge-request.schema';
import { MergeRequestKind } from '../record/merge-request-kind';

type Shown = OutputOf<typeof addContextCommits>[number];

interface AskedProject {
  project: ProjectRef;
  caller?: Caller | undefined;
}

/** Context commits of a merge request. See docs/api/merge-requests.md#13. */
@Controller()
export class ContextCommits {
  constructor(
    private readonly mergeRequests: MergeRequests,
    private readonly kind: MergeRequestKind,
    private readonly changes: ChangeIssuable,
    private readonly client: OperationClient,
  ) {}

  @Handles(listContextCommits)
  async list({ project, caller }: ContextOf<typeof listContextCommits>, input: ParsedOf<typeof listContextCommits>) {
    const { contextCommitShas = [] } = await this.mergeRequests.get(project, input.merge_request_iid);
    const { skip, limit } = window(input);
    const shown = await this.show({ project, caller }, contextCommitShas.slice(skip, skip + limit));
    return { items: shown.filter((commit) => commit !== null), total: contextCommitShas.length };
  }

  @Handles(addContextCommits)
  async add({ project, caller }: ContextOf<typeof addContextCommits>, input: ParsedOf<typeof addContextCommits>) {
    requireWritable(project);
    const found = await this.mergeRequests.get(project, input.merge_request_iid);
    const shown = await this.show({ project, caller }, input.commits);
    const commits = shown.filter((commit) => commit !== null);
    if (commits.length < input.commits.length) throw contextCommitErrors.invalid();
    await this.change(found, caller, (before) => {
      const after = [...before, ...input.commits];
      if (new Set(after).size < after.length) throw contextCommitErrors.invalid();
      if (after.length > mostContextCommits) throw contextCommitErrors.tooMany();
      return after;
    });
    return commits;
  }

  @Handles(removeContextCommits)
  async remove(
    { project, caller }: ContextOf<typeof removeContextCommits>,
    input: ParsedOf<typeof removeContextCommits>,
  ) {
    requireWritable(project);
    const found = await this.mergeRequests.get(project, input.merge_request_iid);
    await this.change(found, caller, (before) => {
      if (input.commits.some((sha) => !before.includes(sha))) throw contextCommitErrors.invalid();
      return before.filter((sha) => !input.commits.includes(sha));
    });
  }

  private async change(
    found: MergeRequestDocument,
    caller: Caller,
    make: (before: readonly string[]) => string[],
  ): Promise<void> {
    const patchOf = ({ contextCommitShas = [] }: MergeRequestDocument) => ({
      silent: { contextCommitShas: make(contextCommitShas) },
    });
    await this.changes.change(this.kind, found, patchOf, { userId: caller.id });
  }

  /** In their order; null for commits that the repository does not have any more. */
  private show({ project, caller }: AskedProject, shas: readonly string[]): Promise<(Shown | null)[]> {
    const asked = shas.map((sha) =>
      this.client
        .call(getCommit, { id: String(project.id), sha, stats: false }, { project, caller })
        .catch((error: unknown) => {
          if (isError(error, contentErrors.commitNotFound)) return null;
          throw error;
        }),
    );
    return Promise.all(asked);
  }
}
