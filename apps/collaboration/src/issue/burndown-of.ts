import { type BurndownDay, mostBurndownDays } from '@moothall/contracts';
import type { IssueDocument } from './issue.schema';

type Changes = Pick<IssueDocument, 'createdAt' | 'stateChanges'>;

/**
 * The number of open issues after each day with a change, oldest day first. Of more days than the limit, some at equal
 * distances.
 * @param lastDay `2020-10-15`: later changes do not count
 */
export function burndownOf(issues: readonly Changes[], lastDay: string | null): BurndownDay[] {
  const changes = new Map<string, number>();
  const count = (at: Date, change: number): void => {
    const day = at.toISOString().slice(0, 10);
    if (lastDay === null || day <= lastDay) changes.set(day, (changes.get(day) ?? 0) + change);
  };
  for (const { createdAt, stateChanges } of issues) {
    count(createdAt, 1);
    for (const { action, at } of stateChanges) count(at, action === 'close' ? -1 : 1);
  }
  let open = 0;
  const days = [...changes.keys()].sort().map((day) => {
    open += changes.get(day) ?? 0;
    return { day, open };
  });
  return thinned(days, mostBurndownDays);
}

/** At most so many items, with the first and the last one. */
function thinned<T>(items: readonly T[], most: number): T[] {
  if (items.length <= most) return [...items];
  const distance = (items.length - 1) / (most - 1);
  return Array.from({ length: most }, (_, at) => items[Math.round(at * distance)] as T);
}
