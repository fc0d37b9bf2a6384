import type { AccessLevel, Caller, GroupRef, Note, NotePosition, ProjectRef, Suggestion } from '@moothall/contracts';
import type { Outboxed } from '@moothall/database';
import type { Model } from 'mongoose';
import type { Awardable } from '../activity/awardable';
import type { NoteSubject } from '../activity/new-note';
import type { NoteDocument, NoteSuggestion } from '../activity/note.schema';
import type { Journaled } from '../journal/journal';
import type { AppliedCommands, QuickCommand } from '../quick-action/quick-action';

/** What a record has so that notes can hang on it. */
export interface NoteableDocument extends Outboxed, Journaled, Awardable {
  _id: number;
  title: string;
  authorId: number;
  userNotesCount: number;
  /** Grows with every change of that count. */
  notesCountRevision?: number;
  updatedAt: Date;
  assigneeIds?: number[];
  participantIds?: number[];
  confidential?: boolean;
  discussionLocked?: boolean | null;
}

/**
 * A record that notes hang on, as one caller meets it: found, and theirs to see. Every kind of record makes its own
 * (`IssueNoteable` and so on); the operations on notes know nothing else of it.
 */
export interface Noteable<T extends NoteableDocument = NoteableDocument> {
  subject: NoteSubject;
  document: T;
  model: Model<T>;
  caller: Caller;
  /** The caller's, in the project or group. */
  accessLevel: AccessLevel;
  /** An archived project takes no notes. */
  isArchived: boolean;
  /** Whether notes can be kept from people below reporter. */
  takesConfidentialNotes: boolean;
  /** What a single note shows of it. */
  shownWithNote?: Pick<Note, 'title' | 'file_name' | 'expires_at'>;
  /** Names of the commands that its notes may hold. */
  commands: ReadonlySet<string>;
  /** Does what the commands ask for, as far as the caller may; the others are left out of the answer. */
  apply(commands: QuickCommand[]): Promise<AppliedCommands>;
  /** Itself with a record of its own, of what has none before somebody writes the first note on it. */
  stored?(): Promise<Noteable>;
  /** What its notes on lines of files suggest in place of these; only merge requests have lines. */
  suggestions?: {
    read(body: string, position: NotePosition | undefined): Promise<NoteSuggestion[]>;
    view(notes: readonly NoteDocument[]): Promise<ReadonlyMap<number, Suggestion[]>>;
  };
  /** Follows where something said of it waits no longer, because it was resolved or is gone. */
  onSettled?(): Promise<void>;
}

/** For kinds of records whose notes take none. */
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
 * @template Context where it is looked for, and for whom
 * @template Named the parameters of the path that name it
 */
export interface NoteableFinder<Context, Named> {
  find(context: Context, named: Named): Promise<Noteable>;
}
