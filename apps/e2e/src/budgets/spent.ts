import type { CollectedSpan } from '../server/collector';

/** Commands of MongoDB, calls of services, published events, git processes, commands of Redis. */
export const kinds = ['database', 'services', 'events', 'git', 'redis'] as const;

type Kind = (typeof kinds)[number];

/** One answer that a request waited for. */
export interface Step {
  kind: Kind;
  name: string;
}

/** Number of steps of each kind. */
export type Spent = Partial<Record<Kind, number>>;

export function spentOn(steps: Step[]): Spent {
  const counts = kinds.map((kind) => [kind, steps.filter((step) => step.kind === kind).length] as const);
  return Object.fromEntries(counts.filter(([, count]) => count > 0));
}

export const total = (spent: Spent): number => kinds.reduce((sum, kind) => sum + (spent[kind] ?? 0), 0);

const [server, client, consumer] = [2, 3, 5];

function kindOf({ name, attributes }: CollectedSpan): Kind {
  const system = attributes['db.system.name'];
  if (system !== undefined) return system === 'redis' ? 'redis' : 'database';
  if (name.startsWith('git ')) return 'git';
  return name.startsWith('publish ') ? 'events' : 'services';
}

const requestIn = (spans: CollectedSpan[]) =>
  spans.find(({ kind, service }) => kind === server && service === 'gateway');

/** Whether a trace has its request and each call of a service at both ends: each process sends its spans by itself. */
export function isWhole(spans: CollectedSpan[]): boolean {
  const calls = spans.filter((span) => span.kind === client && kindOf(span) === 'services');
  const isAnswered = (call: CollectedSpan) =>
    spans.some(({ kind, parentSpanId }) => kind === server && parentSpanId === call.spanId);
  return requestIn(spans) !== undefined && calls.every(isAnswered);
}

/** The steps of a request, without those that began after its answer. */
export function stepsIn(spans: CollectedSpan[]): Step[] {
  const below = (parent: CollectedSpan): CollectedSpan[] =>
    spans
      .filter((span) => span.parentSpanId === parent.spanId && span.kind !== consumer && !isAfter(span, parent))
      .flatMap((span) => [span, ...below(span)]);
  const steps = below(requestIn(spans)!).filter(({ kind }) => kind === client);
  return steps.map((span) => ({ kind: kindOf(span), name: span.name }));
}

/** Times of two processes are not comparable, and a call that another process handles is never after its caller. */
const isAfter = (span: CollectedSpan, parent: CollectedSpan): boolean =>
  span.service === parent.service && BigInt(span.startTimeUnixNano) > BigInt(parent.endTimeUnixNano);
