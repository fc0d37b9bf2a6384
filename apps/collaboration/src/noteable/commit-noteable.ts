import { type Caller, contentErrors, listCommits, type OutputOf } from '@moothall/contracts';
import { OperationClient } from '@moothall/messaging';
import { Injectable } from '@nestjs/common';
import type { Model } from 'mongoose';
import { NotedCommits, unnoted } from '../commit/noted-commit.repository';
import type { NotedCommitDocument } from '../commit/noted-commit.schema';
import {
  type InProject,
  type Noteable,
  type NoteableDocument,
  type NoteableFinder,
  withoutQuickActions,
} from '../note/noteable';

export type GitCommit = OutputOf<typeof listCommits>['items'][number];

/** Commits as noteables. Git has the commit; a record exists for those with notes. */
@Injectable()
export class CommitNoteable implements NoteableFinder<InProject, { sha: string }> {
  constructor(
    private readonly commits: NotedCommits,
    private readonly client: OperationClient,
  ) {}

  /** @throws repository_content.commit_not_found */
  async find(context: InProject, { sha }: { sha: string }): Promise<Noteable> {
    return this.noteableOf(context, await this.findCommit(context, sha));
  }

  /** Resolves a branch or tag to its current commit. @throws repository_content.commit_not_found */
  async findCommit(
    { project, caller }: Pick<InProject, 'project'> & { caller?: Caller | undefined },
    sha: string,
  ): Promise<GitCommit> {
    const input = { id: String(project.id), ref_name: sha, per_page: 1 };
    const { items } = await this.client.call(listCommits, input, { ...(caller && { caller }), project });
    const [commit] = items;
    if (!commit) throw contentErrors.commitNotFound();
    return commit;
  }

  async noteableOf(context: InProject, { id: sha, title }: GitCommit): Promise<Noteable> {
    const named = { projectId: context.project.id, sha, title };
    const found = await this.commits.find(named.projectId, sha);
    return {
      ...this.view(context, found ?? unnoted(named)),
      // Reading creates no record.
      ...(!found && { stored: async () => this.view(context, await this.commits.ensure(named)) }),
    };
  }

  private view({ project, caller }: InProject, document: NotedCommitDocument): Noteable {
    const { _id: id, sha: commitId, projectId } = document;
    return {
      subject: { type: 'Commit', id, iid: null, commitId, projectId, groupId: null },
      document,
      model: this.commits.model as unknown as Model<NoteableDocument>,
      caller,
      accessLevel: project.accessLevel,
      isArchived: project.isArchived,
      takesConfidentialNotes: false,
      ...withoutQuickActions,
    };
  }
}
