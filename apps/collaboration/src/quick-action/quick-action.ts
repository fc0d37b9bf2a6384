import { Access, type AccessLevel, type Caller, type ProjectRef } from '@moothall/contracts';
import type { Model } from 'mongoose';
import type { Issuable } from '../issuable/issuable';
import type { IssuablePatch } from '../issuable/plan-change';
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

/** What a quick action does: a change of the record, and how to tell of it. */
export interface Effect {
  patch: IssuablePatch;
  /** By the names of the wire. */
  changes: Record<string, unknown>;
  summary: string;
}

/**
 * What it does to a record as it is when it is written, and anew where somebody else was first; undefined where it
 * cannot be done.
 */
export type EffectOn<T> = (current: T) => Effect | undefined;

/** Who writes the note, and on what. */
export interface QuickActionRequest<T> {
  document: T;
  project: ProjectRef;
  caller: Caller;
  model: Model<Issuable>;
  named: NamedRecords;
}

export interface QuickAction<T> {
  /** Everybody who may comment; the author and those who edit the record; those who plan the work. */
  who: 'everybody' | 'editor' | 'planner';
  /** Asks others for what the effect needs. @returns undefined where it is not to be done at all */
  prepare(argument: string, request: QuickActionRequest<T>): EffectOn<T> | undefined | Promise<EffectOn<T> | undefined>;
}

/** The quick actions of one kind of record, by name. See docs/api/notes.md#4. */
export interface QuickActions<T> {
  /** Who edits records of others. */
  editorLevel: AccessLevel;
  actions: Readonly<Record<string, QuickAction<T>>>;
}

export function mayUse<T extends Issuable>(
  { who }: QuickAction<T>,
  editorLevel: AccessLevel,
  { document, project, caller }: Pick<QuickActionRequest<T>, 'document' | 'project' | 'caller'>,
): boolean {
  if (who === 'everybody') return true;
  if (who === 'planner') return project.accessLevel >= Access.Reporter;
  return document.authorId === caller.id || project.accessLevel >= editorLevel;
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
