import { Access, type AccessLevel, type Caller, type ProjectRef } from '@moothall/contracts';
import type { Model } from 'mongoose';
import type { Issuable } from '../issuable/issuable';
import type { IssuablePatch } from '../issuable/plan-change';
import type { OwnerKey } from '../parent/owner';
import type { NamedRecords } from './named-records';

/** A command line of a note, as `/close`. */
export interface QuickCommand {
  name: string;
  argument: string;
}

/** The result of the commands of one note. */
export interface AppliedCommands {
  /** Changes by field names of the API. */
  changes: Record<string, unknown>;
  /** One sentence for each applied command. */
  summary: string[];
}

/** The effect of a quick action: a change of the record, and its message. */
export interface Effect {
  patch: IssuablePatch;
  /**
   * A write outside the record's change, such as an award: one atomic write with its own condition.
   * @returns false if the condition was not met
   */
  write?: () => Promise<boolean>;
  /** By field names of the API. */
  changes: Record<string, unknown>;
  summary: string;
}

/**
 * The effect on the current record when it is written, and again after a concurrent change; undefined if it is not
 * allowed.
 */
export type EffectOn<T> = (current: T) => Effect | undefined;

/** The author of the note, and its record. */
export interface QuickActionRequest<T> {
  document: T;
  /** Access level of the caller in the project or group. */
  accessLevel: AccessLevel;
  /** Owners of the labels and milestones that it may use, nearest first. */
  owners: OwnerKey[];
  /** Absent for records of a group. */
  project?: ProjectRef;
  caller: Caller;
  model: Model<Issuable>;
  named: NamedRecords;
}

export interface QuickAction<T> {
  /** Who may use it: users who may comment; the author and editors of the record; reporters and above. */
  who: 'everybody' | 'editor' | 'planner';
  /** Reads from other services what the effect needs. @returns undefined if the command does not apply */
  prepare(argument: string, request: QuickActionRequest<T>): EffectOn<T> | undefined | Promise<EffectOn<T> | undefined>;
}

/** The quick actions of one kind of record, by name. See docs/api/notes.md#4. */
export interface QuickActions<T> {
  /** The level required to edit records of others. */
  editorLevel: AccessLevel;
  /** Whether authors may edit their own, at any level. */
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

/** A command that reads nothing from other services. */
export const action = <T>(
  who: QuickAction<T>['who'],
  effect: (current: T, argument: string) => Effect | undefined,
): QuickAction<T> => ({ who, prepare: (argument) => (current) => effect(current, argument) });

/** A change that does not depend on the record. */
export const change = (patch: IssuablePatch, changes: Effect['changes'], summary: string) => (): Effect => ({
  patch,
  changes,
  summary,
});
