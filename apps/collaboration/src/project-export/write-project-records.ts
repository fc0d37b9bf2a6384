import {
  type ContextOf,
  type ExportedIssue,
  type ExportedMergeRequest,
  type ExportedNote,
  importProjectRecords,
  invalidRecord,
  type ParsedOf,
  type ProjectRef,
  present,
  reserveRecordIds,
} from '@moothall/contracts';
import { Counters, collectionOf, insertEach, isDuplicateKey, RecordIds, writeAll } from '@moothall/database';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { z } from 'zod';
import type { Award } from '../activity/awardable';
import type { NoteSubject } from '../activity/new-note';
import type { NoteDocument } from '../activity/note.schema';
import type { IssueDocument } from '../issue/issue.schema';
import { MergeRequests } from '../merge-request/record/merge-request.repository';
import type { MergeRequestVersionDocument } from '../merge-request/record/merge-request.schema';
import { ownersForProject, projectOwner } from '../parent/owner';
import { idOf, TakePlan } from '../plan-archive/take-plan';
import { ArchivedApprovals } from './archived-approvals';
import { NamedIterations } from './named-iterations';
import { newImportedNote, newIssue, newMergeRequest, type Placed } from './new-records';
import { RecordsByNumber } from './records-by-number';
import { RemoveDeleted } from './remove-deleted';
import { TakeAttached } from './take-attached';
import { TakeSnippets } from './take-snippets';

type Issue = z.infer<typeof ExportedIssue>;
type MergeRequest = z.infer<typeof ExportedMergeRequest>;
type Note = z.infer<typeof ExportedNote>;
type Awarded = Note['awards'];

/** Imports the records of an archive into a project. Existing records stay, and nobody is notified. */
@Controller()
export class WriteProjectRecords {
  constructor(
    private readonly plan: TakePlan,
    private readonly approvals: ArchivedApprovals,
    private readonly snippets: TakeSnippets,
    private readonly attached: TakeAttached,
    private readonly numbers: RecordsByNumber,
    private readonly iterations: NamedIterations,
    private readonly mergeRequests: MergeRequests,
    @InjectModel('Issue') private readonly issues: Model<IssueDocument>,
    @InjectModel('Note') private readonly notes: Model<NoteDocument>,
    @InjectModel('MergeRequestVersion') private readonly versions: Model<MergeRequestVersionDocument>,
    private readonly counters: Counters,
    private readonly ids: RecordIds,
    private readonly deleted: RemoveDeleted,
  ) {}

  @Handles(reserveRecordIds)
  async reserve(_: ContextOf<typeof reserveRecordIds>, { kind, count }: ParsedOf<typeof reserveRecordIds>) {
    // Each kind has the name of its collection, whose counter supplies the ids.
    return { first_id: await this.counters.take(kind, Math.max(1, count)) };
  }

  @Handles(importProjectRecords)
  async handle({ project }: ContextOf<typeof importProjectRecords>, input: ParsedOf<typeof importProjectRecords>) {
    try {
      return { created: await this.take(project, input) };
    } finally {
      await this.deleted.ifDeleted(project.id);
    }
  }

  private async take(project: ProjectRef, input: ParsedOf<typeof importProjectRecords>): Promise<number> {
    const [owner, owners] = [projectOwner(project.id), ownersForProject(project)];
    let created = 0;
    for (const label of input.labels ?? []) created += Number(await this.plan.takeLabel(owner, owners, label));
    for (const one of input.milestones ?? []) created += Number(await this.plan.takeMilestone(owner, owners, one));
    for (const board of input.boards ?? []) created += Number(await this.plan.takeBoard(owner, owners, board));
    for (const one of input.approval_settings ?? []) created += await this.approvals.takeSettings(project, one);
    created += await this.takeIssues(project, input.issues ?? []);
    created += await this.takeMergeRequests(project, input.merge_requests ?? []);
    created += await this.snippets.takeSnippets(project.id, input.snippets ?? [], (awards) => this.awardsOf(awards));
    created += await this.snippets.takeCommits(project.id, input.commits ?? []);
    created += await this.attached.takeLinks(project, input.issue_links ?? []);
    created += await this.attached.takeEvents(project, input);
    return created + (await this.takeNotes(project, input.notes ?? []));
  }

  private async takeIssues(project: ProjectRef, issues: Issue[]): Promise<number> {
    if (issues.length === 0) return 0;
    await this.counters.atLeast(`issues/project/${project.id}`, highest(issues));
    const [places, iterationOf] = await Promise.all([
      this.placesOf(project, 'issues', issues),
      this.iterations.findAll(
        project.groupIds,
        issues.map(({ iteration }) => iteration),
      ),
    ]);
    const documents = issues.map((issue, at) =>
      newIssue(issue, present(places[at], 'the place of an issue'), iterationOf(issue.iteration)),
    );
    const failures = await insertEach(collectionOf(this.issues), documents);
    for (const failure of failures.values()) if (!isDuplicateKey(failure, 'iid')) throw failure;
    return documents.length - failures.size;
  }

  private async takeMergeRequests(project: ProjectRef, records: MergeRequest[]): Promise<number> {
    if (records.length === 0) return 0;
    await this.counters.atLeast(`merge_requests/project/${project.id}`, highest(records));
    const [places, rules] = await Promise.all([
      this.placesOf(project, 'merge_requests', records),
      this.approvals.takeRules(
        project,
        records.map(({ approval_rules }) => approval_rules),
      ),
    ]);
    const documents = records.map((one, at) =>
      newMergeRequest(one, present(places[at], 'the place of a merge request'), rules[at] ?? null),
    );
    const failures = await insertEach(collectionOf(this.mergeRequests.model), documents);
    for (const failure of failures.values()) {
      // A repeated run may violate either of the two unique indexes.
      if (!isDuplicateKey(failure)) throw failure;
    }
    const idsByIid = await this.numbers.idsOf(
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

  /** Stores in issues which merge requests close them. */
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

  /** The record of a note may have been deleted during the export: then the note is left out. */
  private async takeNotes(project: ProjectRef, notes: Note[]): Promise<number> {
    if (notes.length === 0) return 0;
    const subjectOf = await this.subjectsOf(project.id, notes);
    const documents: NoteDocument[] = [];
    for (const note of notes) {
      const on = subjectOf(note);
      if (on) documents.push(newImportedNote(note, on, await this.awardsOf(note.awards)));
    }
    const failures = await insertEach(collectionOf(this.notes), documents);
    for (const failure of failures.values()) if (!isDuplicateKey(failure, '_id')) throw failure;
    return documents.length - failures.size;
  }

  /** Records of the notes that exist. */
  private async subjectsOf(projectId: number, notes: Note[]): Promise<(note: Note) => NoteSubject | undefined> {
    const numbersOf = (type: Note['noteable_type']) =>
      notes.filter((note) => note.noteable_type === type).map((note) => note.noteable_iid);
    const [issues, mergeRequests, snippets, commits] = await Promise.all([
      this.numbers.idsOf('Issue', projectId, numbersOf('Issue')),
      this.numbers.idsOf('MergeRequest', projectId, numbersOf('MergeRequest')),
      this.snippets.snippetsAmong(projectId, numbersOf('Snippet')),
      this.snippets.commitIds(
        projectId,
        notes.flatMap(({ commit_sha }) => commit_sha ?? []),
      ),
    ]);
    const idOfSubject = ({ noteable_type, noteable_iid, commit_sha = '' }: Note): number | undefined => {
      if (noteable_type === 'Commit') return commits.get(commit_sha);
      if (noteable_type === 'Snippet') return snippets.has(noteable_iid) ? noteable_iid : undefined;
      return (noteable_type === 'Issue' ? issues : mergeRequests).get(noteable_iid);
    };
    return (note) => {
      const { noteable_type: type, noteable_iid, commit_sha } = note;
      const id = idOfSubject(note);
      if (id === undefined) return undefined;
      const iid = type === 'Issue' || type === 'MergeRequest' ? noteable_iid : null;
      return { type, id, iid, projectId, groupId: null, ...(type === 'Commit' && { commitId: commit_sha ?? '' }) };
    };
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
}

const highest = (records: { iid: number }[]): number => Math.max(...records.map(({ iid }) => iid));
