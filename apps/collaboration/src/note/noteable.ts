import type { AccessLevel, Caller, GroupRef, Note, NotePosition, ProjectRef, Suggestion } from '@moothall/contracts';
import type { Outboxed } from '@moothall/database';
import type { Model } from 'mongoose';
import type { Awardable } from '../activity/awardable';
import type { NoteSubject } from '../activity/new-note';
import type { NoteDocument, NoteSuggestion } from '../activity/note.schema';
import type { Journaled } from '../journal/journal';
import type { AppliedCommands, QuickCommand } from '../quick-action/quick-action';

/** Fields that a record with notes needs. */
export interface NoteableDocument extends Outboxed, Journaled, Awardable {
  _id: number;
  title: string;
  authorId: number;
  userNotesCount: number;
  /** Incremented with every change of the count. */
  notesCountRevision?: number;
  updatedAt: Date;
  assigneeIds?: number[];
  participantIds?: number[];
  confidential?: boolean;
  discussionLocked?: boolean | null;
}

/**
 * A record with notes, found and checked for one caller. Each kind of record builds its own (`IssueNoteable` and so
 * on); the operations on notes know nothing else of it.
 */
export interface Noteable<T extends NoteableDocument = NoteableDocument> {
  subject: NoteSubject;
  document: T;
  model: Model<T>;
  caller: Caller;
  /** Access level of the caller in the project or group. */
  accessLevel: AccessLevel;
  /** An archived project takes no notes. */
  isArchived: boolean;
  /** Whether notes may be hidden from users below reporter. */
  takesConfidentialNotes: boolean;
  /** Fields of the record that a single note shows. */
  shownWithNote?: Pick<Note, 'title' | 'file_name' | 'expires_at'>;
  /** Names of the commands that its notes may contain. */
  commands: ReadonlySet<string>;
  /** Applies commands that the caller may use; the others are left out of the answer. */
  apply(commands: QuickCommand[]): Promise<AppliedCommands>;
  /** Creates the stored record, for kinds without one before the first note. */
  stored?(): Promise<Noteable>;
  /** Suggestions in notes on lines; only merge requests have lines. */
  suggestions?: {
    read(body: string, position: NotePosition | undefined): Promise<NoteSuggestion[]>;
    view(notes: readonly NoteDocument[]): Promise<ReadonlyMap<number, Suggestion[]>>;
  };
  /** Called when a discussion is resolved or deleted. */
  onSettled?(): Promise<void>;
}

/** For kinds of records whose notes have no commands. */
export const withoutQuickActions: Pick<Noteable, 'commands' | 'apply'> = {
  commands: new Set(),
  apply: async () => ({ changes: {}, summary: [] }),
};

export interface InProject {
  project: ProjectRef;
  caller: Caller;
}

export interface InGroup {
  group: GroupRef;
  caller: Caller;
}

/**
 * Finds the noteable that the path of a request names.
 * @template Context scope and caller
 * @template Named path parameters that name it
 */
export interface NoteableFinder<Context, Named> {
  find(context: Context, named: Named): Promise<Noteable>;
}
