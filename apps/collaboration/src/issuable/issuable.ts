import type { Outboxed } from '@moothall/database';
import type { SchemaDefinition } from 'mongoose';
import type { Awardable } from '../activity/awardable';
import type { Journaled } from '../journal/journal';
import { mostPeople, refuseFull } from '../user/most-people';

/** Limit for one record; an archive may bring as many. */
export const mostLabels = 1000;

/** Limit of stored state changes: a user or program may close and reopen without end. */
export const mostStateChanges = 1000;

/** Base of issues, merge requests and epics: they have notes, labels and subscriptions. */
export interface Issuable extends Outboxed, Journaled, Awardable {
  _id: number;
  /** Number within the project or group. */
  iid: number;
  /** Incremented with every change that depends on an earlier state; a change from an outdated revision is retried. */
  revision: number;
  title: string;
  description: string | null;
  state: string;
  authorId: number;
  assigneeIds: number[];
  labelIds: number[];
  milestoneId: number | null;
  discussionLocked: boolean | null;
  confidential: boolean;
  /** Users who subscribed or unsubscribed explicitly; others are notified as participants. */
  subscriberIds: number[];
  unsubscriberIds: number[];
  /** Users who commented, up to a limit. */
  participantIds: number[];
  userNotesCount: number;
  /** Incremented with every change of the count. */
  notesCountRevision?: number;
  createdAt: Date;
  updatedAt: Date;
  closedAt: Date | null;
  closedById: number | null;
  /** Times of closing and reopening, oldest first. */
  stateChanges: StateChange[];
}

/** Initial values of a record without activity. */
export const newIssuable = (at: Date) => ({
  revision: 0,
  state: 'opened' as const,
  confidential: false,
  assigneeIds: [],
  labelIds: [],
  milestoneId: null,
  discussionLocked: null,
  subscriberIds: [],
  unsubscriberIds: [],
  participantIds: [],
  userNotesCount: 0,
  awards: [],
  stateChanges: [],
  createdAt: at,
  updatedAt: at,
  closedAt: null,
  closedById: null,
});

export interface StateChange {
  action: 'close' | 'reopen';
  at: Date;
}

/** Schema fields that they share. */
export const issuableFields = {
  _id: { type: Number, required: true },
  iid: { type: Number, required: true },
  revision: { type: Number, default: 0 },
  title: { type: String, required: true },
  description: { type: String, default: null },
  state: { type: String, default: 'opened' as const },
  authorId: { type: Number, required: true },
  assigneeIds: { type: [Number], default: [], most: mostPeople },
  labelIds: { type: [Number], default: [], most: mostLabels },
  milestoneId: { type: Number, default: null },
  discussionLocked: { type: Boolean, default: null },
  confidential: { type: Boolean, default: false },
  subscriberIds: { type: [Number], default: [], most: mostPeople },
  unsubscriberIds: { type: [Number], default: [], most: mostPeople },
  participantIds: { type: [Number], default: [], most: mostPeople },
  userNotesCount: { type: Number, default: 0 },
  notesCountRevision: Number,
  createdAt: { type: Date, required: true },
  updatedAt: { type: Date, required: true },
  closedAt: { type: Date, default: null },
  closedById: { type: Number, default: null },
  stateChanges: { type: [{ _id: false, action: String, at: Date }], default: [], most: mostStateChanges },
} satisfies SchemaDefinition;

/** Whether a user gets notifications: by explicit subscription, else as a participant. */
export function isSubscribed(issuable: Issuable, userId: number): boolean {
  if (issuable.subscriberIds.includes(userId)) return true;
  if (issuable.unsubscriberIds.includes(userId)) return false;
  return participantsOf(issuable).includes(userId);
}

/** The update that subscribes or unsubscribes a user. @throws common.invalid_record at the limit */
export function subscription(issuable: Issuable, userId: number, wanted: boolean) {
  if (wanted) {
    refuseFull(issuable.subscriberIds);
    return { $addToSet: { subscriberIds: userId }, $pull: { unsubscriberIds: userId } };
  }
  // Only the latest users who unsubscribed are stored.
  return {
    $push: { unsubscriberIds: { $each: [userId], $slice: -mostPeople } },
    $pull: { subscriberIds: userId },
  };
}

/** Author, assignees and all commenters, in this order. */
export const participantsOf = ({ authorId, assigneeIds, participantIds }: Issuable): number[] => [
  ...new Set([authorId, ...assigneeIds, ...participantIds]),
];
