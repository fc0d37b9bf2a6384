import { type ApprovalAction, invalidRecord } from '@moothall/contracts';
import type { FieldChange } from '../activity/resource-event.schema';
import { type Issuable, mostLabels } from './issuable';
import { without } from './without';

/** Requested changes of an issue, merge request or epic; undefined leaves a field unchanged. */
export interface IssuablePatch {
  title?: string | undefined;
  description?: string | null | undefined;
  state?: string | undefined;
  /** The complete new set of labels; `addLabelIds` and `removeLabelIds` are applied to it. */
  labelIds?: number[] | undefined;
  addLabelIds?: number[] | undefined;
  removeLabelIds?: number[] | undefined;
  assigneeIds?: number[] | undefined;
  milestoneId?: number | null | undefined;
  /** Only for issues. */
  iterationId?: number | null | undefined;
  confidential?: boolean | undefined;
  discussionLocked?: boolean | null | undefined;
  dueDate?: string | null | undefined;
  weight?: number | null | undefined;
  /** An approval or its revocation; published as its own event instead of an update. */
  approval?: ApprovalAction | undefined;
  /** Bodies of additional system notes. */
  notes?: string[] | undefined;
  /** Fields that change without a system note. */
  silent?: Record<string, unknown> | undefined;
}

/** Names for system notes. */
export interface ChangeNames {
  username(id: number): string;
  milestone(id: number): string;
}

export interface ChangePlan {
  set: Record<string, unknown>;
  /** Bodies of its system notes. */
  notes: string[];
  /** Changes of single fields, for resource events. */
  changes: FieldChange[];
  approval: ApprovalAction | undefined;
}

type Current = Issuable & { dueDate?: string | null; weight?: number | null; iterationId?: number | null };

const monthName = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' });

/** Computes what a patch changes in a state, with its notes and events. Texts: docs/api/notes.md#7. */
export function planChange(current: Current, patch: IssuablePatch, names: ChangeNames, noun: string): ChangePlan {
  const labelIds = labelsAfter(current.labelIds, patch);
  const plan: ChangePlan = {
    set: { ...patch.silent },
    notes: [...(patch.notes ?? [])],
    changes: [...labelChanges(current.labelIds, labelIds)],
    approval: patch.approval,
  };
  const change = <K extends keyof IssuablePatch & keyof Current>(
    field: K,
    noteOf?: (value: Current[K]) => string,
  ): void => {
    const value = patch[field] as Current[K] | undefined;
    if (value === undefined || value === (current[field] ?? null)) return;
    plan.set[field] = value;
    if (noteOf) plan.notes.push(noteOf(value));
  };
  if (plan.changes.length > 0) plan.set.labelIds = labelIds;
  change('title', (title) => `changed title from **{-${current.title}-}** to **{+${title}+}**`);
  change('description', () => 'changed the description');
  planAssignees(current, patch, names, plan);
  change('milestoneId', (id) => (id === null ? 'removed milestone' : `changed milestone to %"${names.milestone(id)}"`));
  // It has an event, but no note.
  change('iterationId');
  change('dueDate', (day) => (day ? `changed due date to ${monthName.format(new Date(day))}` : 'removed due date'));
  change('weight', (weight) => (weight == null ? 'removed the weight' : `set weight to **${weight}**`));
  change('confidential', (hidden) =>
    hidden ? `made the ${noun} confidential` : `made the ${noun} visible to everyone`,
  );
  change('discussionLocked', (locked) => `${locked ? 'locked' : 'unlocked'} this ${noun}`);
  change('state', (state) => (state === 'opened' ? 'reopened' : state));
  plan.changes.push(...fieldChanges(current, plan.set));
  return plan;
}

/** The events of a new record with labels, a milestone or a weight. */
export const firstChanges = (opened: Current): FieldChange[] => [
  ...labelChanges([], opened.labelIds),
  ...fieldChanges({ ...opened, milestoneId: null, weight: null }, setOf(opened)),
];

const setOf = ({ milestoneId, weight }: Current): ChangePlan['set'] => ({
  ...(milestoneId !== null && { milestoneId }),
  ...(weight != null && { weight }),
});

const labelChanges = (before: number[], after: number[]): FieldChange[] => [
  ...without(after, before).map((labelId): FieldChange => ({ kind: 'label', fields: { labelId, action: 'add' } })),
  ...without(before, after).map((labelId): FieldChange => ({ kind: 'label', fields: { labelId, action: 'remove' } })),
];

function fieldChanges(before: Current, { milestoneId, iterationId, weight, state }: ChangePlan['set']): FieldChange[] {
  const changes: FieldChange[] = [];
  const milestone = placing(before.milestoneId, milestoneId);
  if (milestone) changes.push({ kind: 'milestone', fields: { milestoneId: milestone.id, action: milestone.action } });
  const iteration = placing(before.iterationId, iterationId);
  if (iteration) changes.push({ kind: 'iteration', fields: { iterationId: iteration.id, action: iteration.action } });
  if (weight !== undefined) changes.push({ kind: 'weight', fields: { weight: weight as number | null } });
  if (state !== undefined) changes.push({ kind: 'state', fields: { state: stateAction(state) } });
  return changes;
}

/** A replacement is one event. */
function placing(
  before: number | null | undefined,
  after: unknown,
): { id: number; action: 'add' | 'remove' } | undefined {
  if (after === undefined) return undefined;
  if (typeof after === 'number') return { id: after, action: 'add' };
  return before == null ? undefined : { id: before, action: 'remove' };
}

function stateAction(state: unknown): 'closed' | 'reopened' | 'merged' {
  if (state === 'opened') return 'reopened';
  return state === 'merged' ? 'merged' : 'closed';
}

function planAssignees(current: Current, { assigneeIds }: IssuablePatch, names: ChangeNames, plan: ChangePlan): void {
  if (!assigneeIds) return;
  const added = without(assigneeIds, current.assigneeIds);
  const removed = without(current.assigneeIds, assigneeIds);
  if (added.length + removed.length === 0) return;
  const mention = (ids: number[]): string => ids.map((id) => `@${names.username(id)}`).join(', ');
  const parts: string[] = [];
  if (added.length > 0) parts.push(`assigned to ${mention(added)}`);
  if (removed.length > 0) parts.push(`unassigned ${mention(removed)}`);
  plan.set.assigneeIds = assigneeIds;
  plan.notes.push(parts.join(' and '));
}

/** @throws common.invalid_record above the limit; a record that is above it already may remove labels */
function labelsAfter(current: number[], { labelIds, addLabelIds = [], removeLabelIds = [] }: IssuablePatch): number[] {
  const after = without([...new Set([...(labelIds ?? current), ...addLabelIds])], removeLabelIds);
  if (after.length > Math.max(mostLabels, current.length))
    throw invalidRecord({ labels: [`are too many (maximum is ${mostLabels})`] });
  return after;
}
