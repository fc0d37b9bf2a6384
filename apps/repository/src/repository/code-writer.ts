import { type Caller, contentErrors, type ProjectRef } from '@moothall/contracts';
import { Injectable } from '@nestjs/common';
import type { BranchChange } from '../git/advance-branch';
import type { Commit } from '../git/commit';
import type { Person } from '../git/person';
import type { FileAction } from '../git/write-commit';
import { type Located, Storages } from '../storage/storages';
import { PushEvents } from './push-events';

export interface WriteContext {
  caller: Caller;
  project: ProjectRef;
}

export interface WantedCommit {
  branch: string;
  message: string;
  actions: FileAction[];
  /** Any revision; where the branch starts when it is new. */
  start?: string;
  force?: boolean;
  authorName?: string;
  authorEmail?: string;
}

export const personOf = (caller: Caller): Person => ({ name: caller.name, email: caller.email });

/** Refused while a repository takes no writes. @throws repository_content.read_only */
export function requireWritable(project: ProjectRef): void {
  if (project.isArchived || project.isReadOnly) throw contentErrors.readOnly();
}

/** Changes of code through the interface: each is a commit in the caller's name, and told like a push. */
@Injectable()
export class CodeWriter {
  constructor(
    private readonly storages: Storages,
    private readonly events: PushEvents,
  ) {}

  async commit(context: WriteContext, wanted: WantedCommit): Promise<Commit> {
    const committer = personOf(context.caller);
    const author = { name: wanted.authorName ?? committer.name, email: wanted.authorEmail ?? committer.email };
    const { branch, message, actions, start, force } = wanted;
    return this.write(context, ({ engine, path }) =>
      engine.commitWriter.write(path, { branch, message, actions, start, force, author, committer }),
    );
  }

  async cherryPick(context: WriteContext, branch: string, commitId: string, message?: string): Promise<Commit> {
    const request = { branch, commitId, message, committer: personOf(context.caller) };
    return this.write(context, ({ engine, path }) => engine.merges.cherryPick(path, request));
  }

  async revert(context: WriteContext, branch: string, commitId: string, message?: string): Promise<Commit> {
    const request = { branch, commitId, message, committer: personOf(context.caller) };
    return this.write(context, ({ engine, path }) => engine.merges.revert(path, request));
  }

  private async write(
    { project, caller }: WriteContext,
    write: (located: Located) => Promise<BranchChange>,
  ): Promise<Commit> {
    requireWritable(project);
    const located = this.storages.locate(project);
    const { branch, before, after } = await write(located);
    await this.events.announce(located, project, caller, [{ refName: `refs/heads/${branch}`, before, after }]);
    const commit = await located.engine.commits.get(located.path, after);
    return commit!;
  }
}
