import { type Caller, contentErrors, type ProjectRef, protectionErrors } from '@moothall/contracts';
import { Injectable } from '@nestjs/common';
import type { Commit } from '../git/objects/commit';
import { type Person, personNamed } from '../git/objects/person';
import type { BranchChange } from '../git/write/advance-branch';
import type { MergeRequest } from '../git/write/merge';
import type { FileAction } from '../git/write/write-commit';
import { ProtectedRefs } from '../protection/protected-ref.repository';
import { actorOf } from '../protection/protections';
import type { Located } from '../storage/storages';
import { WriteGate } from '../storage/write-gate';
import { PushJournal } from './push-journal';

export interface WriteContext {
  caller: Caller;
  project: ProjectRef;
}

export interface WantedCommit {
  branch: string;
  message: string;
  actions: FileAction[];
  /** Any revision; the start of a new branch. */
  start?: string | undefined;
  force?: boolean | undefined;
  authorName?: string | undefined;
  authorEmail?: string | undefined;
}

/** A commit to cherry-pick or revert. */
export type Applied = Omit<MergeRequest, 'committer'>;

export const personOf = ({ name, email }: Pick<Caller, 'name' | 'email'>): Person => personNamed(name, email);

/** @throws repository_content.read_only while a repository is read-only */
export function requireWritable(project: Pick<ProjectRef, 'isArchived' | 'isReadOnly'>): void {
  if (project.isArchived || project.isReadOnly) throw contentErrors.readOnly();
}

/** Changes of code by the API: in the caller's name, with branch protection, and with the events of a push. */
@Injectable()
export class CodeWriter {
  constructor(
    private readonly journal: PushJournal,
    private readonly refs: ProtectedRefs,
    private readonly gate: WriteGate,
  ) {}

  /** Runs a change of refs. The caller of this method checks permissions. @throws repository_content.read_only */
  async change<T>({ project, caller }: WriteContext, change: (located: Located) => Promise<T>): Promise<T> {
    requireWritable(project);
    return this.gate.write(project, () => this.journal.changeAs({ project, caller, kind: 'code' }, change));
  }

  /** @throws protection.push_refused */
  async requirePush({ project, caller }: WriteContext, branch: string): Promise<void> {
    const protections = await this.refs.readProtections(project.id, { kind: 'branch', names: [branch] });
    if (!protections.canPush(branch, actorOf(project, caller))) throw protectionErrors.pushRefused();
  }

  async commit(context: WriteContext, wanted: WantedCommit): Promise<Commit> {
    const committer = personOf(context.caller);
    const author = { name: wanted.authorName ?? committer.name, email: wanted.authorEmail ?? committer.email };
    const { branch, message, actions, start, force } = wanted;
    await this.requireHistoryKept(context, wanted);
    return this.write(context, branch, ({ engine, path }) =>
      engine.commitWriter.write(path, { branch, message, actions, start, force, author, committer }),
    );
  }

  async cherryPick(context: WriteContext, wanted: Applied): Promise<Commit> {
    const request = { ...wanted, committer: personOf(context.caller) };
    return this.write(context, wanted.branch, ({ engine, path }) => engine.merges.cherryPick(path, request));
  }

  async revert(context: WriteContext, wanted: Applied): Promise<Commit> {
    const request = { ...wanted, committer: personOf(context.caller) };
    return this.write(context, wanted.branch, ({ engine, path }) => engine.merges.revert(path, request));
  }

  /** `force` replaces a branch, which protection forbids like a force push. */
  private async requireHistoryKept({ project }: WriteContext, { branch, force }: WantedCommit): Promise<void> {
    if (!force) return;
    const protections = await this.refs.readProtections(project.id, { kind: 'branch', names: [branch] });
    if (!protections.canForcePush(branch)) throw protectionErrors.pushRefused();
  }

  private async write(
    context: WriteContext,
    branch: string,
    write: (located: Located) => Promise<BranchChange>,
  ): Promise<Commit> {
    requireWritable(context.project);
    await this.requirePush(context, branch);
    return this.change(context, async (located) => {
      const { after } = await write(located);
      return await located.engine.commits.require(located.path, after);
    });
  }
}
