import type { EventRecordKind, ExportedEvents, NamedIteration } from '@moothall/contracts';
import type { z } from 'zod';
import type { ResourceEventDocument, ResourceEvents } from '../activity/resource-event.schema';
import { type Titles, titleOf } from '../plan-archive/exported-plan.view';
import { type Ids, idOf } from '../plan-archive/take-plan';
import type { IterationIds } from './named-iterations';

/** References of events by id, in their archived form. */
export interface EventNames {
  labels: Titles;
  milestones: Titles;
  iterations: ReadonlyMap<number, z.infer<typeof NamedIteration>>;
}

/** The reverse direction. */
export interface EventIds {
  labels: Ids;
  milestones: Ids;
  iterations: IterationIds;
}

/** Documents of each kind. */
export interface EventDocuments {
  label_events: ResourceEvents['label'];
  milestone_events: ResourceEvents['milestone'];
  iteration_events: ResourceEvents['iteration'];
  state_events: ResourceEvents['state'];
  weight_events: ResourceEvents['weight'];
}

type Common = 'id' | 'resource_type' | 'resource_iid' | 'user_id' | 'created_at';

/** How one kind is stored, and the archived form of its fields other than user, time and record. */
interface ArchivedEvents<K extends EventRecordKind> {
  model: string;
  show(event: EventDocuments[K], names: EventNames): Omit<ExportedEvents[K], Common>;
  take(row: ExportedEvents[K], ids: EventIds): Omit<EventDocuments[K], keyof ResourceEventDocument>;
}

/** Shown like a deleted record. */
const noRecord = 0;

export const archivedEvents: { [K in EventRecordKind]: ArchivedEvents<K> } = {
  label_events: {
    model: 'LabelEvent',
    show: ({ action, labelId }, { labels }) => ({ action, label_title: titleOf(labelId, labels) }),
    take: ({ action, label_title }, { labels }) => ({ action, labelId: idOf(label_title, labels) ?? noRecord }),
  },
  milestone_events: {
    model: 'MilestoneEvent',
    show: ({ action, milestoneId }, { milestones }) => ({ action, milestone_title: titleOf(milestoneId, milestones) }),
    take: ({ action, milestone_title }, { milestones }) => ({
      action,
      milestoneId: idOf(milestone_title, milestones) ?? noRecord,
    }),
  },
  iteration_events: {
    model: 'IterationEvent',
    show: ({ action, iterationId }, { iterations }) => ({ action, iteration: iterations.get(iterationId) ?? null }),
    take: ({ action, iteration }, { iterations }) => ({ action, iterationId: iterations(iteration) ?? noRecord }),
  },
  state_events: {
    model: 'StateEvent',
    show: ({ state }) => ({ state }),
    take: ({ state }) => ({ state }),
  },
  weight_events: {
    model: 'WeightEvent',
    show: ({ weight }) => ({ weight }),
    take: ({ weight }) => ({ weight }),
  },
};
