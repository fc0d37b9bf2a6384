import { Access, type Caller } from '@moothall/contracts';
import { UserDirectory } from '@moothall/users';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, QueryFilter } from 'mongoose';
import type { NoteDocument } from '../activity/note.schema';
import { NotedCommits } from '../commit/noted-commit.repository';
import type { NotedCommitDocument } from '../commit/noted-commit.schema';
import type { IssueDocument } from '../issue/issue.schema';
import { IssueScope } from '../issue/issue-scope';
import type { MergeRequestDocument } from '../merge-request/record/merge-request.schema';
import { seesAllNotes } from '../note/note.repository';
import { peopleOf, viewNote } from '../note/note.view';
import { ReadableProjects, type ReadableScope } from '../parent/readable-projects';

type Subject = Pick<IssueDocument, '_id' | 'title' | 'projectId' | 'authorId' | 'assigneeIds'>;

/** An anonymous reader. */
export const nobody = { id: 0, isAdmin: false } as Caller;

/** Issues, merge requests and notes of any projects that a caller may see. */
@Injectable()
export class VisibleNotes {
  constructor(
    @InjectModel('Issue') private readonly issues: Model<IssueDocument>,
    @InjectModel('MergeRequest') private readonly mergeRequests: Model<MergeRequestDocument>,
    private readonly commits: NotedCommits,
    private readonly scope: IssueScope,
    private readonly readable: ReadableProjects,
    private readonly users: UserDirectory,
  ) {}

  async findIssues(ids: number[], caller: Caller | undefined): Promise<IssueDocument[]> {
    if (ids.length === 0) return [];
    const seen = await this.scope.narrowToReadable(caller, { scope: 'all' }, true);
    return this.issues.find({ $and: [{ _id: { $in: ids } }, seen] }).lean<IssueDocument[]>();
  }

  async findMergeRequests(ids: number[], caller: Caller | undefined): Promise<MergeRequestDocument[]> {
    if (ids.length === 0) return [];
    const seen: QueryFilter<MergeRequestDocument> = { _id: { $in: ids }, ...within(await this.codeScope(caller)) };
    return this.mergeRequests.find(seen).lean<MergeRequestDocument[]>();
  }

  private async findCommits(ids: number[], caller: Caller | undefined): Promise<Subject[]> {
    if (ids.length === 0) return [];
    const rule = { feature: 'repository', shows: 'code', withArchived: true } as const;
    const seen = { _id: { $in: ids }, ...within(await this.readable.findScope(caller, rule)) };
    const found = await this.commits.model.find(seen).lean<NotedCommitDocument[]>();
    return found.map((commit) => ({ ...commit, assigneeIds: [] }));
  }

  /** In their order; those that the caller may not see are left out. */
  async show(found: NoteDocument[], caller: Caller | undefined) {
    if (found.length === 0) return [];
    const idsOn = (type: string) =>
      found.flatMap(({ noteableType, noteableId }) => (noteableType === type ? noteableId : []));
    const subjects = new Map<string, Subject>();
    for (const issue of await this.findIssues(idsOn('Issue'), caller)) subjects.set(`Issue/${issue._id}`, issue);
    for (const one of await this.findMergeRequests(idsOn('MergeRequest'), caller))
      subjects.set(`MergeRequest/${one._id}`, one);
    for (const one of await this.findCommits(idsOn('Commit'), caller)) subjects.set(`Commit/${one._id}`, one);
    const trusted = await this.trustedIn(found, caller);
    const users = await this.users.records(found.flatMap(peopleOf));
    return found.flatMap((note) => {
      const subject = subjects.get(`${note.noteableType}/${note.noteableId}`);
      if (!subject || (note.confidential && !knowsOf(note, subject, caller, trusted))) return [];
      return [{ ...viewNote(note, users, caller ?? nobody), noteable_title: subject.title }];
    });
  }

  /** Whether the caller is a reporter or above in a project: read only for confidential notes. */
  private async trustedIn(found: NoteDocument[], caller: Caller | undefined): Promise<(projectId: number) => boolean> {
    if (caller?.isAdmin) return () => true;
    if (!found.some(({ confidential }) => confidential)) return () => false;
    const { trustedIds } = await this.readable.findScope(caller, { feature: 'issues', withArchived: true });
    const others = await this.codeScope(caller);
    const trusted = new Set([...trustedIds, ...others.trustedIds]);
    return (projectId) => trusted.has(projectId);
  }

  private codeScope(caller: Caller | undefined): Promise<ReadableScope> {
    return this.readable.findScope(caller, { feature: 'merge_requests', shows: 'merge_requests', withArchived: true });
  }
}

const within = ({ ids, hidden }: ReadableScope): { projectId?: object } =>
  ids ? { projectId: { $in: ids } } : hidden.length > 0 ? { projectId: { $nin: hidden } } : {};

function knowsOf(
  { authorId }: NoteDocument,
  subject: Subject,
  caller: Caller | undefined,
  isTrusted: (projectId: number) => boolean,
): boolean {
  if (!caller) return false;
  const accessLevel = isTrusted(subject.projectId) ? Access.Reporter : Access.None;
  return authorId === caller.id || seesAllNotes({ accessLevel, document: subject, caller });
}
