import { z } from 'zod';
import { date, id, timestamp } from '../../operation';
import { prose, titleLimit } from '../prose/prose';
import { iid } from './archived-fields';

const title = prose(titleLimit).nullable();

/** An iteration of a group, identified without its id. */
export const NamedIteration = z.object({
  /** The first cadence of a group has its name with a suffix. */
  cadence_title: prose(2 * titleLimit),
  title,
  start_date: date,
  due_date: date,
});

export const eventfulTypes = ['Issue', 'MergeRequest'] as const;

/** The common fields of events: user, time and record. */
const onRecord = {
  /** Of the exporting instance; in an archive its number, from 1. */
  id,
  resource_type: z.enum(eventfulTypes),
  resource_iid: iid,
  user_id: id,
  created_at: timestamp,
};
const action = z.enum(['add', 'remove']);

/** With null for a deleted or unknown label, milestone or iteration. */
export const exportedEvents = {
  label_events: z.object({ ...onRecord, action, label_title: title }),
  milestone_events: z.object({ ...onRecord, action, milestone_title: title }),
  iteration_events: z.object({ ...onRecord, action, iteration: NamedIteration.nullable() }),
  state_events: z.object({ ...onRecord, state: z.enum(['closed', 'reopened', 'merged']) }),
  weight_events: z.object({ ...onRecord, weight: z.int().min(0).nullable() }),
};
export type ExportedEvents = { [K in keyof typeof exportedEvents]: z.infer<(typeof exportedEvents)[K]> };
export type EventRecordKind = keyof ExportedEvents;
export const eventRecordKinds = Object.keys(exportedEvents) as EventRecordKind[];

/** Two issues of the project; the source blocks the target if the type is `blocks`. */
export const ExportedIssueLink = z.object({
  source_iid: iid,
  target_iid: iid,
  type: z.enum(['relates_to', 'blocks']),
  created_at: timestamp,
  updated_at: timestamp,
});
