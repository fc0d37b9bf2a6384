import { z } from 'zod';
import { UserSummary } from '../../identity/user';
import { get, id, operation, page, time } from '../../operation';
import { BasicLabel } from '../label/label';
import type { NoteableKind, NoteableRule } from './noteable-kind';

/** A label was added or removed. See docs/api/labels.md#3. */
export const LabelEvent = z.object({
  id,
  user: UserSummary.nullable(),
  created_at: time,
  resource_type: z.enum(['Issue', 'MergeRequest', 'Epic']),
  resource_id: id,
  label: BasicLabel.nullable().describe('Null once the label is deleted'),
  action: z.enum(['add', 'remove']),
});
export type LabelEvent = z.infer<typeof LabelEvent>;

/** List and get what happened to the labels of one kind of record. */
export function labelEventOperations<const R extends z.ZodRawShape, A extends NoteableRule>({
  kind,
  path,
  parameters,
  access,
  tier,
  noun,
  missing,
}: NoteableKind<R, A>) {
  const all = `${path}/resource_label_events`;
  return {
    list: operation({
      name: `collaboration.${kind}-label-events.list`,
      refusals: [missing],
      http: get(all),
      access,
      tier,
      summary: `Labels added to ${noun} and removed from it`,
      input: z.object(parameters),
      output: page(LabelEvent),
    }),
    get: operation({
      name: `collaboration.${kind}-label-events.get`,
      refusals: [missing, 'common.not_found'],
      http: get(`${all}/:resource_label_event_id`),
      access,
      tier,
      summary: `One label event of ${noun}`,
      input: z.object({ ...parameters, resource_label_event_id: id }),
      output: LabelEvent,
    }),
  };
}
