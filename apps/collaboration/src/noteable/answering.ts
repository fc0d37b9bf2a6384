import type { Operation } from '@moothall/contracts';
import { type Handler, HandlesEach } from '@moothall/messaging';
import { Controller, Inject, type Type } from '@nestjs/common';
import type { NoteableFinder } from '../note/noteable';
import { AwardController, NoteAwardController } from './award-controller';
import { DiscussionController } from './discussion-controller';
import { LabelEventController } from './label-event-controller';
import { NoteController } from './note-controller';

type Operations = Record<string, Operation>;

/** Operations by the names of the methods that answer them; never those that the methods do not fit. */
type Answered<Methods, O> = {
  [K in keyof O]: K extends keyof Methods ? (Methods[K] extends Handler<O[K]> ? O[K] : never) : never;
};

interface Answers {
  notes: Operations;
  discussions: Operations;
  awards: Operations;
  noteAwards: Operations;
  labelEvents?: Operations;
}

interface Methods<C, N> {
  notes: NoteController<C, N>;
  discussions: DiscussionController<C, N>;
  awards: AwardController<C, N>;
  noteAwards: NoteAwardController<C, N>;
  labelEvents: LabelEventController<C, N>;
}

/** Nest controllers that answer all operations on what hangs on one kind of record. @param finder finds the record */
export function answering<C, N, const A extends Answers>(
  finder: Type<NoteableFinder<C, N>>,
  answers: A & { [K in keyof A & keyof Methods<C, N>]: Answered<Methods<C, N>[K], A[K]> },
): Type[] {
  const { notes, discussions, awards, noteAwards, labelEvents } = answers as Answers;
  return [
    controllerOf(NoteController, finder, notes),
    controllerOf(DiscussionController, finder, discussions),
    controllerOf(AwardController, finder, awards),
    controllerOf(NoteAwardController, finder, noteAwards),
    ...(labelEvents ? [controllerOf(LabelEventController, finder, labelEvents)] : []),
  ];
}

/** A controller of its own for each kind: Nest keeps on its class what it answers and what it is given. */
function controllerOf(Base: Type, finder: Type, operations: Operations): Type {
  const Answering = class extends Base {};
  Inject(finder)(Answering, undefined, 0);
  HandlesEach(operations)(Answering);
  Controller()(Answering);
  return Answering;
}
