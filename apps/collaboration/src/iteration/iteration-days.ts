import { invalidRecord, iterationStates } from '@moothall/contracts';
import { requireOrder, today } from '../milestone/days';
import type { IterationDocument } from './iteration.schema';

type Span = Pick<IterationDocument, 'startDate' | 'dueDate'>;

/** Limit of days in one iteration: each day is a key of an index. */
export const mostDays = 366;
const dayMs = 24 * 60 * 60 * 1000;

/** Its days as numbers. @throws common.invalid_record if it ends before it starts, or is too long */
export function daysOf(span: Span): number[] {
  requireOrder(span);
  const [first, last] = [span.startDate, span.dueDate].map((day) => Date.parse(day) / dayMs) as [number, number];
  const count = last - first + 1;
  if (count > mostDays) throw invalidRecord({ due_date: [`must be within ${mostDays} days of the start date`] });
  return Array.from({ length: count }, (_, after) => first + after);
}

/** The state follows from the date, so nothing has to be updated. See docs/api/iterations.md#2. */
export function stateOf({ startDate, dueDate }: Span, day = today()): 1 | 2 | 3 {
  if (day < startDate) return iterationStates.upcoming;
  return day > dueDate ? iterationStates.closed : iterationStates.current;
}

export type StateFilter = 'opened' | 'upcoming' | 'current' | 'started' | 'closed' | 'all';

/** The same as a query condition. */
export function filterState(state: StateFilter, day = today()): { startDate?: object; dueDate?: object } {
  if (state === 'all') return {};
  if (state === 'closed') return { dueDate: { $lt: day } };
  if (state === 'upcoming') return { startDate: { $gt: day } };
  return { dueDate: { $gte: day }, ...(state !== 'opened' && { startDate: { $lte: day } }) };
}
