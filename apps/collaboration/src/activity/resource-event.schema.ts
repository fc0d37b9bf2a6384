import { Schema, type SchemaDefinition } from 'mongoose';

export type EventfulResource = 'Issue' | 'MergeRequest' | 'Epic';

/** The user and time of a change of one field, with its new value. See docs/api/issues.md#8. */
export interface ResourceEventDocument {
  _id: number;
  resourceType: EventfulResource;
  resourceId: number;
  userId: number;
  createdAt: Date;
}

/** A label was added to a record or removed from it. See docs/api/labels.md#3. */
export interface LabelEventDocument extends ResourceEventDocument {
  /** Shown as null once the label is deleted. */
  labelId: number;
  action: 'add' | 'remove';
}

export interface MilestoneEventDocument extends ResourceEventDocument {
  /** The removed one if no other replaces it; shown as null once it is deleted. */
  milestoneId: number;
  action: 'add' | 'remove';
}

export interface IterationEventDocument extends ResourceEventDocument {
  /** The same rule as for milestones. */
  iterationId: number;
  action: 'add' | 'remove';
}

export interface StateEventDocument extends ResourceEventDocument {
  state: 'closed' | 'reopened' | 'merged';
}

export interface WeightEventDocument extends ResourceEventDocument {
  weight: number | null;
}

/** The value of each kind of field. */
export interface ResourceEvents {
  label: LabelEventDocument;
  milestone: MilestoneEventDocument;
  iteration: IterationEventDocument;
  state: StateEventDocument;
  weight: WeightEventDocument;
}

/** A planned change of one field: its event without user, time and record. */
export type FieldChange = {
  [K in keyof ResourceEvents]: { kind: K; fields: Omit<ResourceEvents[K], keyof ResourceEventDocument> };
}[keyof ResourceEvents];

/** Collection of each kind of event. */
export const resourceEventCollections = {
  label: 'label_events',
  milestone: 'milestone_events',
  iteration: 'iteration_events',
  state: 'state_events',
  weight: 'weight_events',
} as const satisfies Record<keyof ResourceEvents, string>;

const required = <T>(type: T) => ({ type, required: true }) as const;

export const labelEventSchema = schemaOf('label', { labelId: required(Number), action: required(String) });
export const milestoneEventSchema = schemaOf('milestone', { milestoneId: required(Number), action: required(String) });
export const iterationEventSchema = schemaOf('iteration', { iterationId: required(Number), action: required(String) });
export const stateEventSchema = schemaOf('state', { state: required(String) });
export const weightEventSchema = schemaOf('weight', { weight: { type: Number, default: null } });
// A promoted label or milestone takes over the events of those that it replaces.
labelEventSchema.index({ labelId: 1 });
milestoneEventSchema.index({ milestoneId: 1 });

export const resourceEventModels = [
  { name: 'LabelEvent', schema: labelEventSchema },
  { name: 'MilestoneEvent', schema: milestoneEventSchema },
  { name: 'IterationEvent', schema: iterationEventSchema },
  { name: 'StateEvent', schema: stateEventSchema },
  { name: 'WeightEvent', schema: weightEventSchema },
];

function schemaOf(kind: keyof ResourceEvents, fields: SchemaDefinition): Schema {
  const schema = new Schema(
    {
      _id: { type: Number, required: true },
      resourceType: { type: String, required: true },
      resourceId: { type: Number, required: true },
      userId: { type: Number, required: true },
      ...fields,
      createdAt: { type: Date, required: true },
    },
    { collection: resourceEventCollections[kind], timestamps: false },
  );
  // Lists in the order of time; also for removal with the record.
  schema.index({ resourceType: 1, resourceId: 1, createdAt: 1, _id: 1 });
  // For the removal of a deleted user.
  schema.index({ userId: 1 });
  return schema;
}
