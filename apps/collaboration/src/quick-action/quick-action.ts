import { Access, type AccessLevel, type Caller, type ProjectRef } from '@moothall/contracts';
import type { Model } from 'mongoose';
import type { Issuable } from '../issuable/issuable';
import type { IssuablePatch } from '../issuable/plan-change';
import type { OwnerKey } from '../parent/owner';
import type { NamedRecords } from './named-records';

/** A line of a note that asks for something, as `/close`. */
export interface QuickCommand {
  name: string;
  argument: string;
}

/** What came of the commands of one note. */
export interface AppliedCommands {
  /** What was changed, by the names of the wire. */
  changes: Record<string, unknown>;
  /** A sentence for each that was applied. */
  summary: string[];
}

/** The effect of a quick action: a change of the record, and its message. */
export interface Effect {
  patch: IssuablePatch;
  /**
   * What is no change of the record, as an award: one write, which holds its own condition.
   * @returns false where it could not be done
   */
  write?: () => Promise<boolean>;
  /** By the names of the wire. */
  changes: Record<string, unknown>;
  summary: string;
}

/**
 * The effect on the current record when it is written, and again after a concurrent change; undefined if it
 * cannot be done.
 */
export type EffectOn<T> = (current: T) => Effect | undefined;

/** The author of the note, and its record. */
export interface QuickActionRequest<T> {
  document: T;
  /** The caller's, in the project or group. */
  accessLevel: AccessLevel;
  /** Whose labels and milestones it may have, nearest first. */
  owners: OwnerKey[];
  /** Absent where it is a group's. */
  project?: ProjectRef;
  caller: Caller;
  model: Model<Issuable>;
  named: NamedRecords;
}

export interface QuickAction<T> {
  /** Users who may comment; the author and editors of the record; reporters and above. */
  who: 'everybody' | 'editor' | 'planner';
  /** Asks others for what the effect needs. @returns undefined where it is not to be done at all */
  prepare(argument: string, request: QuickActionRequest<T>): EffectOn<T> | undefined | Promise<EffectOn<T> | undefined>;
}

/** The quick actions of one kind of record, by name. See docs/api/notes.md#4. */
export interface QuickActions<T> {
  /** The level for editing records of others. */
  editorLevel: AccessLevel;
  /** Whether authors edit their own, whatever their level. */
  authorsEdit: boolean;
  actions: Readonly<Record<string, QuickAction<T>>>;
}

export function mayUse<T extends Issuable>(
  { who }: QuickAction<T>,
  { editorLevel, authorsEdit }: Omit<QuickActions<T>, 'actions'>,
  { document, accessLevel, caller }: Pick<QuickActionRequest<T>, 'document' | 'accessLevel' | 'caller'>,
): boolean {
  if (who === 'everybody') return true;
  if (who === 'planner') return accessLevel >= Access.Reporter;
  return accessLevel >= editorLevel || (authorsEdit && document.authorId === caller.id);
}

/** A row that has nobody to ask. */
export const action = <T>(
  who: QuickAction<T>['who'],
  effect: (current: T, argument: string) => Effect | undefined,
): QuickAction<T> => ({ who, prepare: (argument) => (current) => effect(current, argument) });

/** A change that is the same whatever the record is. */
export const change = (patch: IssuablePatch, changes: Effect['changes'], summary: string) => (): Effect => ({
  patch,
  changes,
  summary,
});
