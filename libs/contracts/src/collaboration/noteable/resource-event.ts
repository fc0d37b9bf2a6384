import { z } from 'zod';
import { UserSummary } from '../../identity/user';
import { get, id, operation, page, time } from '../../operation';
import { Iteration } from '../iteration/iteration-view';
import { BasicLabel } from '../label/label';
import { Milestone } from '../milestone/milestone-view';
import type { NoteableKind, NoteableRule } from './noteable-kind';

const changed = {
  id,
  user: UserSummary.nullable(),
  created_at: time,
};

const changedOf = {
  ...changed,
  resource_type: z.enum(['Issue', 'MergeRequest', 'Epic']),
  resource_id: id,
};

const action = z.enum(['add', 'remove']);

/** A label was added or removed. See docs/api/labels.md#3. */
export const LabelEvent = z.object({
  ...changedOf,
  label: BasicLabel.nullable().describe('Null once the label is deleted'),
  action,
});
export type LabelEvent = z.infer<typeof LabelEvent>;

/** A milestone was set or removed. See docs/api/issues.md#8. */
export const MilestoneEvent = z.object({
  ...changedOf,
  milestone: Milestone.nullable().describe('Null once the milestone is deleted'),
  action,
});
export type MilestoneEvent = z.infer<typeof MilestoneEvent>;

/** An issue was added to an iteration or removed from it. See docs/api/issues.md#8. */
export const IterationEvent = z.object({
  ...changedOf,
  iteration: Iteration.nullable().describe('Null once the iteration is deleted'),
  action,
});
export type IterationEvent = z.infer<typeof IterationEvent>;

/** Something was closed, reopened or merged. See docs/api/issues.md#8. */
export const StateEvent = z.object({ ...changedOf, state: z.enum(['closed', 'reopened', 'merged']) });
export type StateEvent = z.infer<typeof StateEvent>;

/** An issue got another weight, or none. See docs/api/issues.md#8. */
export const WeightEvent = z.object({ ...changed, issue_id: id, weight: z.number().int().nullable() });
export type WeightEvent = z.infer<typeof WeightEvent>;

interface EventsOf<K extends string, V extends z.ZodType> {
  /** The kind in paths and names of operations: `resource_label_events`. */
  kind: K;
  /** The summary of the list in the API reference, before "of an issue". */
  summary: string;
  view: V;
}

const labels = { kind: 'label', summary: 'Labels added to and removed from', view: LabelEvent } as const;
const milestones = { kind: 'milestone', summary: 'Milestones set on and removed from', view: MilestoneEvent } as const;
const iterations = { kind: 'iteration', summary: 'Iterations set on and removed from', view: IterationEvent } as const;
const states = { kind: 'state', summary: 'When, and by whom, the state was changed of', view: StateEvent } as const;
const weights = { kind: 'weight', summary: 'Weights given to', view: WeightEvent } as const;

export const labelEventOperations = <const R extends z.ZodRawShape, A extends NoteableRule>(on: NoteableKind<R, A>) =>
  resourceEventOperations(on, labels);
export const milestoneEventOperations = <const R extends z.ZodRawShape, A extends NoteableRule>(
  on: NoteableKind<R, A>,
) => resourceEventOperations(on, milestones);
export const iterationEventOperations = <const R extends z.ZodRawShape, A extends NoteableRule>(
  on: NoteableKind<R, A>,
) => resourceEventOperations(on, iterations);
export const stateEventOperations = <const R extends z.ZodRawShape, A extends NoteableRule>(on: NoteableKind<R, A>) =>
  resourceEventOperations(on, states);
export const weightEventOperations = <const R extends z.ZodRawShape, A extends NoteableRule>(on: NoteableKind<R, A>) =>
  resourceEventOperations(on, weights);

/** List and get the events of one field of one kind of record. */
function resourceEventOperations<
  const R extends z.ZodRawShape,
  A extends NoteableRule,
  K extends string,
  V extends z.ZodType,
>({ kind, path, parameters, access, tier, noun, missing }: NoteableKind<R, A>, events: EventsOf<K, V>) {
  const all = `${path}/resource_${events.kind}_events`;
  const name = `collaboration.${kind}-${events.kind}-events`;
  const eventId = { [`resource_${events.kind}_event_id`]: id } as Record<`resource_${K}_event_id`, typeof id>;
  return {
    list: operation({
      name: `${name}.list`,
      refusals: [missing],
      http: get(all),
      access,
      tier,
      summary: `${events.summary} ${noun}`,
      input: z.object(parameters),
      output: page(events.view),
    }),
    get: operation({
      name: `${name}.get`,
      refusals: [missing, 'common.not_found'],
      http: get(`${all}/:resource_${events.kind}_event_id`),
      access,
      tier,
      summary: `One ${events.kind} event of ${noun}`,
      input: z.object({ ...parameters, ...eventId }),
      output: events.view,
    }),
  };
}
