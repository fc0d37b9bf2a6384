import type {
  IterationEvent,
  LabelEvent,
  MilestoneEvent,
  Operation,
  StateEvent,
  WeightEvent,
} from '@moothall/contracts';
import { type Handler, HandlesEach } from '@moothall/messaging';
import { Controller, Inject, type Type } from '@nestjs/common';
import type { NoteableFinder } from '../note/noteable';
import { IterationEventViews } from '../resource-event/iteration-event-views';
import { LabelEventViews } from '../resource-event/label-event-views';
import { MilestoneEventViews } from '../resource-event/milestone-event-views';
import { StateEventViews } from '../resource-event/state-event-views';
import { WeightEventViews } from '../resource-event/weight-event-views';
import { AwardController, NoteAwardController } from './award-controller';
import { DiscussionController } from './discussion-controller';
import { NoteController } from './note-controller';
import { ResourceEventController } from './resource-event-controller';

type Operations = Record<string, Operation>;

/** Maps operations to the methods that answer them; only where the types match. */
type Answered<Methods, O> = {
  [K in keyof O]: K extends keyof Methods ? (Methods[K] extends Handler<O[K]> ? O[K] : never) : never;
};

interface Answers {
  notes?: Operations;
  discussions: Operations;
  awards?: Operations;
  noteAwards?: Operations;
  labelEvents?: Operations;
  milestoneEvents?: Operations;
  iterationEvents?: Operations;
  stateEvents?: Operations;
  weightEvents?: Operations;
}

interface Methods<C, N> {
  notes: NoteController<C, N>;
  discussions: DiscussionController<C, N>;
  awards: AwardController<C, N>;
  noteAwards: NoteAwardController<C, N>;
  labelEvents: ResourceEventController<C, N, 'label', LabelEvent>;
  milestoneEvents: ResourceEventController<C, N, 'milestone', MilestoneEvent>;
  iterationEvents: ResourceEventController<C, N, 'iteration', IterationEvent>;
  stateEvents: ResourceEventController<C, N, 'state', StateEvent>;
  weightEvents: ResourceEventController<C, N, 'weight', WeightEvent>;
}

/** Nest controllers for the operations on related records of one kind. @param finder finds the record */
export function answering<C, N, const A extends Answers>(
  finder: Type<NoteableFinder<C, N>>,
  answers: A & { [K in keyof A & keyof Methods<C, N>]: Answered<Methods<C, N>[K], A[K]> },
): Type[] {
  const { notes, discussions, awards, noteAwards, ...events } = answers as Answers;
  return [
    ...controllersOf(NoteController, notes, finder),
    ...controllersOf(DiscussionController, discussions, finder),
    ...controllersOf(AwardController, awards, finder),
    ...controllersOf(NoteAwardController, noteAwards, finder),
    ...controllersOf(ResourceEventController, events.labelEvents, finder, LabelEventViews),
    ...controllersOf(ResourceEventController, events.milestoneEvents, finder, MilestoneEventViews),
    ...controllersOf(ResourceEventController, events.iterationEvents, finder, IterationEventViews),
    ...controllersOf(ResourceEventController, events.stateEvents, finder, StateEventViews),
    ...controllersOf(ResourceEventController, events.weightEvents, finder, WeightEventViews),
  ];
}

/**
 * One controller class per kind, because Nest stores handlers and dependencies on the class. None for a kind without
 * operations.
 */
function controllersOf(Base: Type, operations: Operations | undefined, ...injected: Type[]): Type[] {
  if (!operations) return [];
  const Answering = class extends Base {};
  for (const [at, token] of injected.entries()) Inject(token)(Answering, undefined, at);
  HandlesEach(operations)(Answering);
  Controller()(Answering);
  return [Answering];
}
