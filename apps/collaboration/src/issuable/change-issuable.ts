import { type ApprovalAction, type EventRecord, type NoteableType, present } from '@moothall/contracts';
import { RecordIds } from '@moothall/database';
import { UserDirectory } from '@moothall/users';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, UpdateQuery } from 'mongoose';
import { type NoteSubject, newNote } from '../activity/new-note';
import { notes } from '../activity/note.schema';
import {
  type EventfulResource,
  type FieldChange,
  type ResourceEvents,
  resourceEventCollections,
} from '../activity/resource-event.schema';
import { eventsOfReferences } from '../cross-reference/references';
import { entryFor, Journal, type JournalEntry } from '../journal/journal';
import type { MilestoneDocument } from '../milestone/milestone.schema';
import { type Issuable, mostStateChanges } from './issuable';
import { type ChangeNames, type ChangePlan, firstChanges, type IssuablePatch, planChange } from './plan-change';

export type ChangeAction = 'open' | 'update' | 'close' | 'reopen' | 'merge' | 'delete' | ApprovalAction;
/** Actions other than merge and approval. */
export type PlainAction = Exclude<ChangeAction, 'merge' | ApprovalAction>;

/** The differences between issues, merge requests and epics in a change. */
export interface IssuableKind<T extends Issuable> {
  type: NoteableType & EventfulResource;
  /** Noun in system notes. */
  noun: string;
  model: Model<T>;
  subjectOf(document: T): NoteSubject;
  /** The event of a change; undefined if nobody consumes one. @param before the document before it */
  eventOf(action: ChangeAction, document: T, userId: number, before?: T): EventRecord | undefined;
  /** @throws the error for a record that was deleted meanwhile */
  gone(): Error;
}

/** The user of a change, and its time unless it is now. */
interface By {
  userId: number;
  at?: Date | undefined;
}

/** Writes a change together with its system notes, events of single fields and event. */
@Injectable()
export class ChangeIssuable {
  constructor(
    private readonly journal: Journal,
    private readonly ids: RecordIds,
    private readonly users: UserDirectory,
    @InjectModel('Milestone') private readonly milestones: Model<MilestoneDocument>,
  ) {}

  /** @throws MongoServerError 11000 when the number is taken */
  async open<T extends Issuable>(kind: IssuableKind<T>, document: T): Promise<T> {
    const entries = await this.buildFieldEntries(kind, document, firstChanges(document), {
      userId: document.authorId,
      at: document.createdAt,
    });
    const { authorId, title, description } = document;
    const references = eventsOfReferences(kind.subjectOf(document), authorId, title, description);
    const events = [...eventsOf(kind, 'open', document, authorId), ...references];
    return this.journal.insert(kind.model, document, entries, ...events);
  }

  /**
   * Applies a patch to a record in any state. Concurrent changes are not lost: the later one
   * computes its change again, from the result of the earlier one.
   * @param patchOf what to change, given the record as it is
   * @throws kind.gone() when it is deleted meanwhile
   */
  async change<T extends Issuable>(
    kind: IssuableKind<T>,
    found: T,
    patchOf: (current: T) => IssuablePatch | Promise<IssuablePatch>,
    by: By,
  ): Promise<T> {
    let current: T | null = found;
    while (current) {
      const patch = await patchOf(current);
      const plan = planChange(current, patch, await this.findNames(current, patch), kind.noun);
      if (Object.keys(plan.set).length === 0) return current;
      const updated = await this.write(kind, current, plan, by);
      if (updated) return updated;
      current = (await kind.model.findById(found._id).lean()) as T | null;
    }
    throw kind.gone();
  }

  /** @returns null after a concurrent change */
  private async write<T extends Issuable>(
    kind: IssuableKind<T>,
    current: T,
    plan: ChangePlan,
    by: By,
  ): Promise<T | null> {
    const at = by.at ?? new Date();
    const action = actionOf(current, plan);
    const set = { ...plan.set, ...closing(action, by.userId, at), updatedAt: at };
    const after = { ...current, ...set } as T;
    const entries = [
      ...(await this.buildFieldEntries(kind, current, plan.changes, { ...by, at })),
      ...(await this.buildNoteEntries(kind.subjectOf(current), plan.notes, by.userId, at)),
    ];
    const update = { $set: set, $inc: { revision: 1 }, ...stateChange(action, at) } as UpdateQuery<T>;
    const { _id, revision } = current;
    const written = [plan.set.title, plan.set.description] as (string | null | undefined)[];
    const references = eventsOfReferences(kind.subjectOf(current), by.userId, ...written);
    const events = [...eventsOf(kind, action, after, by.userId, current), ...references];
    return this.journal.update(kind.model, { _id, revision }, update, entries, ...events);
  }

  private async buildNoteEntries(
    on: NoteSubject,
    bodies: string[],
    authorId: number,
    at: Date,
  ): Promise<JournalEntry[]> {
    const ids = await this.ids.take(notes, bodies.length);
    return bodies.map((body, index) =>
      entryFor(notes, newNote(on, { id: present(ids[index], 'the id of a note'), body, authorId, at, system: true })),
    );
  }

  private async buildFieldEntries<T extends Issuable>(
    { type: resourceType }: IssuableKind<T>,
    { _id: resourceId }: T,
    changes: FieldChange[],
    { userId, at: createdAt }: { userId: number; at: Date },
  ): Promise<JournalEntry[]> {
    const kinds = Object.keys(resourceEventCollections) as (keyof ResourceEvents)[];
    const ofKinds = kinds.map(async (kind) => {
      const collection = resourceEventCollections[kind];
      const ofKind = changes.filter((change) => change.kind === kind);
      const ids = await this.ids.take(collection, ofKind.length);
      return ofKind.map(({ fields }, index) => {
        const _id = present(ids[index], 'the id of an event');
        return entryFor(collection, { _id, resourceType, resourceId, userId, ...fields, createdAt });
      });
    });
    return (await Promise.all(ofKinds)).flat();
  }

  /** Reads only names that the change mentions. */
  private async findNames(current: Issuable, { assigneeIds, milestoneId }: IssuablePatch): Promise<ChangeNames> {
    const users = assigneeIds ? await this.users.records([...assigneeIds, ...current.assigneeIds]) : undefined;
    const milestone = milestoneId
      ? await this.milestones.findById(milestoneId, { title: 1 }).lean<MilestoneDocument>()
      : undefined;
    return { username: (id) => users?.get(id)?.username ?? 'ghost', milestone: () => milestone?.title ?? '' };
  }
}

function actionOf(current: Issuable, { set, approval }: ChangePlan): ChangeAction {
  if (set.state === undefined || set.state === current.state) return approval ?? 'update';
  if (set.state === 'merged') return 'merge';
  return set.state === 'opened' ? 'reopen' : 'close';
}

function closing(action: ChangeAction, userId: number, at: Date): Partial<Issuable> {
  if (action === 'close') return { closedAt: at, closedById: userId };
  return action === 'reopen' ? { closedAt: null, closedById: null } : {};
}

/** For burndown charts; only the latest changes are stored. */
const stateChange = (action: ChangeAction, at: Date) =>
  action === 'close' || action === 'reopen'
    ? { $push: { stateChanges: { $each: [{ action, at }], $slice: -mostStateChanges } } }
    : {};

function eventsOf<T extends Issuable>(
  kind: IssuableKind<T>,
  action: ChangeAction,
  document: T,
  userId: number,
  before?: T,
): EventRecord[] {
  const event = kind.eventOf(action, document, userId, before);
  return event ? [event] : [];
}
