import {
  approveGroupAccessRequest,
  approveProjectAccessRequest,
  mergeMergeRequest,
  NoOutput,
  type Operation,
  removeContextCommits,
  transferProject,
} from '@moothall/contracts';
import { type Fault, faultKinds, isOfDatabase } from './faults';
import { isUnderFaults } from './without-faults';

/** Limit of failing commands of one operation; none sends more. */
const mostCommands = 80;

/** Clients may repeat these if the result is unknown. Source: RFC 9110 9.2.2. */
const repeatable = new Set(['PUT', 'DELETE']);
/** Except these: the interface refuses a repetition. */
const refusedOnceDone = new Set<string>(
  [
    approveGroupAccessRequest,
    approveProjectAccessRequest,
    mergeMergeRequest,
    removeContextCommits,
    transferProject,
  ].map(({ name }) => name),
);

/** A call that succeeded with a reported failure can only be repeated if it is idempotent; otherwise it would be done twice. */
function kindsFor({ name, routes, output }: Operation): readonly Fault[] {
  const isRepeatable = routes.length > 0 && routes.every(({ method }) => repeatable.has(method));
  // The answer of a deletion cannot be shown twice.
  const isShownOnce = routes.some(({ method }) => method === 'DELETE') && !(output instanceof NoOutput);
  const isGood = isRepeatable && !isShownOnce && !refusedOnceDone.has(name);
  return isGood ? faultKinds : faultKinds.filter((fault) => fault !== 'not replicated');
}

export interface Trial {
  fault: Fault;
  /** Successful commands before the failing one. */
  skip: number;
}

/** With this the sample is another one. */
const seed = Number(process.env.FAULTS_SEED ?? 14);

/**
 * Faults in rows: each command gets one of a row. `npm run faults` lets every command fail in every way; tests let it
 * fail in one way, and the next command in the next way.
 */
function rowsFor(operation: Operation): Fault[][] {
  const kinds = kindsFor(operation);
  if (isUnderFaults) return kinds.map((kind) => [kind]);
  const first = (seed + operation.name.length) % kinds.length;
  const turned = [...kinds.slice(first), ...kinds.slice(0, first)];
  const others = turned.filter((kind) => !isOfDatabase(kind));
  return [turned.filter(isOfDatabase), ...others.map((kind) => [kind])];
}

/** The remaining tries of an operation. */
export class Trials {
  private skip = 0;
  private at = 0;
  private readonly rows: Fault[][];
  private readonly past = new Set<Fault[]>();

  constructor(operation: Operation) {
    this.rows = rowsFor(operation);
  }

  /** @returns undefined if there are no more commands */
  next(): Trial | undefined {
    for (; this.hasMore; this.skip++, this.at = 0) {
      while (this.at < this.rows.length) {
        const row = this.rows[this.at++]!;
        if (!this.past.has(row)) return { fault: row[this.skip % row.length]!, skip: this.skip };
      }
    }
    return undefined;
  }

  get hasMore(): boolean {
    return this.skip < mostCommands && this.past.size < this.rows.length;
  }

  /** The operation sends no further command that this could befall. */
  isPast(fault: Fault): void {
    for (const row of this.rows) if (row.includes(fault)) this.past.add(row);
  }
}
