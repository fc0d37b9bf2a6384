import {
  type Caller,
  callerInput,
  type EventData,
  type EventRecord,
  isError,
  isFeatureOpen,
  isReadable,
  type ProjectRef,
  projectErrors,
  pushReceived,
  referencesWritten,
  resolveProject,
} from '@moothall/contracts';
import { collectionOf, isDuplicateKey, RecordIds } from '@moothall/database';
import { OnEvent, OperationClient } from '@moothall/messaging';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { type Mention, type NoteSubject, newNote } from '../activity/new-note';
import { type NoteDocument, notes } from '../activity/note.schema';
import { type Reference, referencesIn } from '../cross-reference/references';
import type { IssueDocument } from '../issue/issue.schema';
import { isHiddenFrom } from '../issue/visible-issues';
import type { MergeRequestDocument } from '../merge-request/record/merge-request.schema';
import { readsMergeRequests } from '../parent/reads-code';
import { ActingUser, type Actor } from '../user/acting-user';

/** The record that contains references, and its name in notes of its own project. */
interface Source {
  mention: Mention;
  noun: string;
  name: string;
}

/**
 * Writes `mentioned in issue #3` on records that texts and commits refer to, once per source, if the author of the text
 * may see them. Idempotent. See docs/api/notes.md#8.
 */
@Injectable()
export class WriteCrossReferences {
  constructor(
    @InjectModel('Note') private readonly notes: Model<NoteDocument>,
    @InjectModel('Issue') private readonly issues: Model<IssueDocument>,
    @InjectModel('MergeRequest') private readonly mergeRequests: Model<MergeRequestDocument>,
    private readonly acting: ActingUser,
    private readonly client: OperationClient,
    private readonly ids: RecordIds,
  ) {}

  @OnEvent(referencesWritten, 'WriteCrossReferences-onText')
  async onText({ data }: EventRecord<EventData<typeof referencesWritten>>): Promise<void> {
    const actor = await this.acting.find(data.project_id, data.user_id);
    if (!actor) return;
    const { type, id, iid } = data.source;
    const [noun, sign] = type === 'Issue' ? (['issue', '#'] as const) : (['merge request', '!'] as const);
    const mention: Mention = { type, id, projectId: data.project_id };
    await this.write({ mention, noun, name: `${sign}${iid}` }, data.references, actor);
  }

  @OnEvent(pushReceived, 'WriteCrossReferences-onPush')
  async onPush({ data }: EventRecord<EventData<typeof pushReceived>>): Promise<void> {
    const found = data.ref_type === 'branch' ? data.commits.map((commit) => referencesIn(commit.message)) : [];
    if (!data.user || found.every(({ length }) => length === 0)) return;
    const actor = await this.acting.find(data.project_id, data.user.id);
    if (!actor) return;
    for (const [at, { id }] of data.commits.entries()) {
      const mention: Mention = { type: 'Commit', id, projectId: data.project_id };
      await this.write({ mention, noun: 'commit', name: id }, found[at] ?? [], actor);
    }
  }

  private async write(source: Source, references: Reference[], actor: Actor): Promise<void> {
    for (const reference of references) {
      const project = await this.findProject(reference, actor);
      const subject = project && (await this.findSubject(reference, project, actor.caller));
      const isItself = subject?.id === source.mention.id && subject?.type === source.mention.type;
      if (project && subject && !isItself) await this.addNote(subject, source, project, actor);
    }
  }

  /** @returns undefined if the actor may not read it */
  private async findProject({ project }: Reference, actor: Actor): Promise<ProjectRef | undefined> {
    if (project === null) return actor.project;
    const namespace = actor.project.fullPath.split('/').slice(0, -1);
    const path = project.includes('/') ? project : [...namespace, project].join('/');
    const asked = { project: path, ...callerInput(actor.caller) };
    const found = await this.client.call(resolveProject, asked).catch((error: unknown) => {
      if (isError(error, projectErrors.notFound)) return undefined;
      throw error;
    });
    return found && isReadable(found.project, actor.caller) ? found.project : undefined;
  }

  /** @returns undefined if the caller may not see it */
  private async findSubject({ type, iid }: Reference, project: ProjectRef, caller: Caller) {
    const at = { projectId: project.id, iid };
    if (type === 'Issue') {
      const issue = isFeatureOpen(project, 'issues') ? await this.issues.findOne(at).lean<IssueDocument>() : null;
      return issue && !isHiddenFrom(issue, caller, project.accessLevel) ? subject('Issue', issue) : undefined;
    }
    const isOpen = isFeatureOpen(project, 'merge_requests') && readsMergeRequests(project);
    const found = isOpen ? await this.mergeRequests.findOne(at).lean<MergeRequestDocument>() : null;
    return found ? subject('MergeRequest', found) : undefined;
  }

  private async addNote(on: NoteSubject, { mention, noun, name }: Source, project: ProjectRef, actor: Actor) {
    const same = { noteableType: on.type, noteableId: on.id, 'mentionedIn.type': mention.type };
    if (await this.notes.exists({ ...same, 'mentionedIn.id': mention.id })) return;
    const separator = mention.type === 'Commit' ? '@' : '';
    const from = project.id === actor.project.id ? '' : `${actor.project.fullPath}${separator}`;
    const note = newNote(on, {
      id: await this.ids.next(notes),
      body: `mentioned in ${noun} ${from}${name}`,
      authorId: actor.caller.id,
      at: new Date(),
      system: true,
      mentionedIn: mention,
    });
    await collectionOf(this.notes)
      .insertOne(note)
      .catch((error: unknown) => {
        // A concurrent process wrote it.
        if (!isDuplicateKey(error, 'mentionedIn.id')) throw error;
      });
  }
}

const subject = (
  type: 'Issue' | 'MergeRequest',
  { _id, iid, projectId }: { _id: number; iid: number; projectId: number },
): NoteSubject => ({ type, id: _id, iid, projectId, groupId: null });
