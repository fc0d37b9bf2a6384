import {
  askedBy,
  type ContextOf,
  type ExportedIssue,
  type ExportedMergeRequest,
  type ExportedNote,
  importProjectRecords,
  invalidRecord,
  isError,
  type ParsedOf,
  type ProjectRef,
  present,
  projectErrors,
  reserveNoteIds,
  resolveProject,
} from '@moothall/contracts';
import { Counters, collectionOf, insertEach, isDuplicateKey, RecordIds, writeAll } from '@moothall/database';
import { Handles, OperationClient } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { z } from 'zod';
import type { Award } from '../activity/awardable';
import { type NoteDocument, notes as noteCounter } from '../activity/note.schema';
import type { IssueDocument } from '../issue/issue.schema';
import { MergeRequests } from '../merge-request/record/merge-request.repository';
import type { MergeRequestVersionDocument } from '../merge-request/record/merge-request.schema';
import { RemoveMergeRequests } from '../merge-request/write/remove-merge-requests';
import { ownersForProject, projectOwner } from '../parent/owner';
import { idOf, TakePlan } from '../plan-archive/take-plan';
import { FollowParentDeletions } from '../removal/follow-parent-deletions';
import { newImportedNote, newIssue, newMergeRequest, type Placed } from './new-records';

type Issue = z.infer<typeof ExportedIssue>;
type MergeRequest = z.infer<typeof ExportedMergeRequest>;
type Note = z.infer<typeof ExportedNote>;
type Awarded = Note['awards'];

/** Takes the records of an archive into a project. Whatever is there already stays, and nobody is told. */
@Controller()
export class WriteProjectRecords {
  constructor(
    private readonly plan: TakePlan,
    private readonly mergeRequests: MergeRequests,
    @InjectModel('Issue') private readonly issues: Model<IssueDocument>,
    @InjectModel('Note') private readonly notes: Model<NoteDocument>,
    @InjectModel('MergeRequestVersion') private readonly versions: Model<MergeRequestVersionDocument>,
    private readonly counters: Counters,
    private readonly ids: RecordIds,
    private readonly client: OperationClient,
    private readonly deletions: FollowParentDeletions,
    private readonly removal: RemoveMergeRequests,
  ) {}

  @Handles(reserveNoteIds)
  async reserve(_: ContextOf<typeof reserveNoteIds>, { count }: ParsedOf<typeof reserveNoteIds>) {
    return { first_id: await this.counters.take(noteCounter, Math.max(1, count)) };
  }

  @Handles(importProjectRecords)
  async handle({ project }: ContextOf<typeof importProjectRecords>, input: ParsedOf<typeof importProjectRecords>) {
    try {
      return { created: await this.take(project, input) };
    } finally {
      await this.removeIfDeleted(project.id);
    }
  }

  private async take(project: ProjectRef, input: ParsedOf<typeof importProjectRecords>): Promise<number> {
    const [owner, owners] = [projectOwner(project.id), ownersForProject(project)];
    let created = 0;
    for (const label of input.labels ?? []) created += Number(await this.plan.takeLabel(owner, owners, label));
    for (const one of input.milestones ?? []) created += Number(await this.plan.takeMilestone(owner, owners, one));
    for (const board of input.boards ?? []) created += Number(await this.plan.takeBoard(owner, owners, board));
    created += await this.takeIssues(project, input.issues ?? []);
    created += await this.takeMergeRequests(project, input.merge_requests ?? []);
    return created + (await this.takeNotes(project, input.notes ?? []));
  }

  private async takeIssues(project: ProjectRef, issues: Issue[]): Promise<number> {
    if (issues.length === 0) return 0;
    await this.counters.atLeast(`issues/project/${project.id}`, highest(issues));
    const places = await this.placesOf(project, 'issues', issues);
    const documents = issues.map((issue, at) => newIssue(issue, present(places[at], 'the place of an issue')));
    const failures = await insertEach(collectionOf(this.issues), documents);
    for (const failure of failures.values()) if (!isDuplicateKey(failure, 'iid')) throw failure;
    return documents.length - failures.size;
  }

  private async takeMergeRequests(project: ProjectRef, records: MergeRequest[]): Promise<number> {
    if (records.length === 0) return 0;
    await this.counters.atLeast(`merge_requests/project/${project.id}`, highest(records));
    const places = await this.placesOf(project, 'merge_requests', records);
    const documents = records.map((one, at) =>
      newMergeRequest(one, present(places[at], 'the place of a merge request')),
    );
    const failures = await insertEach(collectionOf(this.mergeRequests.model), documents);
    for (const failure of failures.values()) {
      // Which of the two indexes a second run finds first, nobody knows.
      if (!isDuplicateKey(failure)) throw failure;
    }
    const idsByIid = await this.idsOf(
      'MergeRequest',
      project.id,
      records.map(({ iid }) => iid),
    );
    if (records.some(({ iid }) => !idsByIid.has(iid))) {
      throw invalidRecord({ merge_requests: ['Two open ones have the same branches'] });
    }
    await this.takeVersions(records, idsByIid);
    await this.nameClosing(project.id, records, idsByIid);
    return documents.length - failures.size;
  }

  private async takeVersions(records: MergeRequest[], idsByIid: ReadonlyMap<number, number>): Promise<void> {
    const versions = records.flatMap(({ iid, versions: all }) => all.map((version) => ({ iid, version })));
    if (versions.length === 0) return;
    const first = await this.counters.take('merge_request_versions', versions.length);
    const failures = await insertEach(
      collectionOf(this.versions),
      versions.map(({ iid, version }, at) => ({
        _id: first + at,
        mergeRequestId: idsByIid.get(iid),
        headSha: version.head_sha,
        baseSha: version.base_sha,
        startSha: version.start_sha,
        createdAt: new Date(version.created_at),
      })),
    );
    for (const failure of failures.values()) if (!isDuplicateKey(failure, 'headSha')) throw failure;
  }

  /** The issues that a merge request closes know it. */
  private async nameClosing(projectId: number, records: MergeRequest[], idsByIid: ReadonlyMap<number, number>) {
    const pairs = records.flatMap(({ iid, closes_issue_iids }) => closes_issue_iids.map((issue) => ({ iid, issue })));
    if (pairs.length === 0) return;
    await writeAll(
      collectionOf(this.issues),
      pairs.map(({ iid, issue }) => ({
        updateOne: {
          filter: { projectId, iid: issue },
          update: { $addToSet: { closingMergeRequestIds: idsByIid.get(iid) } },
        },
      })),
    );
  }

  /** What it was written on may have been deleted while the archive was made: then it is left out. */
  private async takeNotes(project: ProjectRef, notes: Note[]): Promise<number> {
    if (notes.length === 0) return 0;
    const iidsOf = (type: Note['noteable_type']) => [
      ...new Set(notes.filter((note) => note.noteable_type === type).map((note) => note.noteable_iid)),
    ];
    const [issues, mergeRequests] = await Promise.all([
      this.idsOf('Issue', project.id, iidsOf('Issue')),
      this.idsOf('MergeRequest', project.id, iidsOf('MergeRequest')),
    ]);
    const documents: NoteDocument[] = [];
    for (const note of notes) {
      const noteableId = (note.noteable_type === 'Issue' ? issues : mergeRequests).get(note.noteable_iid);
      if (noteableId === undefined) continue;
      documents.push(newImportedNote(note, project.id, noteableId, await this.awardsOf(note.awards)));
    }
    const failures = await insertEach(collectionOf(this.notes), documents);
    for (const failure of failures.values()) if (!isDuplicateKey(failure, '_id')) throw failure;
    return documents.length - failures.size;
  }

  private async placesOf(
    project: ProjectRef,
    counter: 'issues' | 'merge_requests',
    records: (Issue | MergeRequest)[],
  ): Promise<Placed[]> {
    const owners = ownersForProject(project);
    const [labels, milestones, first] = await Promise.all([
      this.plan.findLabelIds(
        owners,
        records.flatMap(({ label_titles }) => label_titles),
      ),
      this.plan.findMilestoneIds(
        owners,
        records.flatMap(({ milestone_title }) => milestone_title ?? []),
      ),
      this.counters.take(counter, records.length),
    ]);
    return Promise.all(
      records.map(async ({ label_titles, milestone_title, awards }, at) => ({
        _id: first + at,
        projectId: project.id,
        labelIds: label_titles.flatMap((title) => labels.get(title) ?? []),
        milestoneId: idOf(milestone_title, milestones),
        awards: await this.awardsOf(awards),
      })),
    );
  }

  private async awardsOf(awards: Awarded): Promise<Award[]> {
    const ids = await this.ids.take('awards', awards.length);
    return awards.map(({ name, user_id, created_at }, at) => {
      const time = new Date(created_at);
      return { id: present(ids[at], 'the id of an award'), name, userId: user_id, createdAt: time, updatedAt: time };
    });
  }

  private async idsOf(type: 'Issue' | 'MergeRequest', projectId: number, iids: number[]): Promise<Map<number, number>> {
    if (iids.length === 0) return new Map();
    const filter = { projectId, iid: { $in: iids } };
    const found =
      type === 'Issue'
        ? await this.issues.find(filter, { iid: 1 }).lean<Numbered[]>()
        : await this.mergeRequests.model.find(filter, { iid: 1 }).lean<Numbered[]>();
    return new Map(found.map(({ _id, iid }) => [iid, _id]));
  }

  /** The project may have been deleted while the page was on its way: what was removed then was not all. */
  private async removeIfDeleted(id: number): Promise<void> {
    await this.client.call(resolveProject, { project: String(id), ...askedBy(undefined) }).catch(async (error) => {
      if (!isError(error, projectErrors.notFound)) throw error;
      await this.deletions.removeProject(id);
      await this.removal.removeAllOf(id);
      throw error;
    });
  }
}

interface Numbered {
  _id: number;
  iid: number;
}

const highest = (records: { iid: number }[]): number => Math.max(...records.map(({ iid }) => iid));
