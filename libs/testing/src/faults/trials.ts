import {
  approveGroupAccessRequest,
  approveProjectAccessRequest,
  mergeMergeRequest,
  NoOutput,
  type Operation,
  transferProject,
} from '@moothall/contracts';
import { type Fault, faultKinds } from './faults';

/** Commands of one operation that are made to fail; none sends as many. */
const mostCommands = 80;

/** A client may ask again for these when it does not know what became of the first time. Source: RFC 9110 9.2.2. */
const repeatable = new Set(['PUT', 'DELETE']);
/** But these: the interface refuses what is done already. */
const refusedOnceDone = new Set<string>(
  [approveGroupAccessRequest, approveProjectAccessRequest, mergeMergeRequest, transferProject].map(({ name }) => name),
);

/** What was done and told as failed can be asked for again where that does no harm; else it would be there twice. */
function kindsFor({ name, routes, output }: Operation): readonly Fault[] {
  const isRepeatable = routes.length > 0 && routes.every(({ method }) => repeatable.has(method));
  // Of what is gone nothing can be shown once more.
  const isShownOnce = routes.some(({ method }) => method === 'DELETE') && !(output instanceof NoOutput);
  const isGood = isRepeatable && !isShownOnce && !refusedOnceDone.has(name);
  return isGood ? faultKinds : faultKinds.filter((fault) => fault !== 'not replicated');
}

export interface Trial {
  fault: Fault;
  /** Commands that do not fail before the one that does. */
  skip: number;
}

/** What is still to be tried on an operation. */
export class Trials {
  private skip = 0;
  private at = 0;
  private readonly kinds: readonly Fault[];
  private readonly past = new Set<Fault>();

  constructor(operation: Operation) {
    this.kinds = kindsFor(operation);
  }

  /** @returns undefined when every command has failed in every way */
  next(): Trial | undefined {
    for (; this.hasMore; this.skip++, this.at = 0) {
      while (this.at < this.kinds.length) {
        const fault = this.kinds[this.at++]!;
        if (!this.past.has(fault)) return { fault, skip: this.skip };
      }
    }
    return undefined;
  }

  get hasMore(): boolean {
    return this.skip < mostCommands && this.past.size < this.kinds.length;
  }

  /** The operation sends no further command that this could befall. */
  isPast(fault: Fault): void {
    this.past.add(fault);
  }
}
