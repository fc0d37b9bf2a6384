import type { DeletionRules } from './deletion-rules';

/** The properties of a tag that rules use. */
export interface JudgedTag {
  name: string;
  /** When its image was created; null if the image does not say. */
  createdAt: Date | null;
}

/** Never deleted in bulk. */
const protectedName = 'latest';

/** Whether rules apply to a tag of that name. */
export const concerns = ({ deletes, keeps }: DeletionRules, name: string): boolean =>
  name !== protectedName && deletes(name) && !keeps(name);

/**
 * Selects tags to delete: it sorts newest first, skips the number to keep, and selects old ones among the rest. A tag
 * without a time counts as newest, and never as old. See docs/api/registry.md#6.
 * @param tags all tags that the rules apply to, in any order
 */
export function planDeletion<T extends JudgedTag>(tags: readonly T[], rules: DeletionRules, now: Date): T[] {
  const { keptCount, olderThanMs } = rules;
  const rest = [...tags].sort(newestFirst).slice(keptCount);
  if (olderThanMs === undefined) return rest;
  const before = now.getTime() - olderThanMs;
  return rest.filter(({ createdAt }) => createdAt !== null && createdAt.getTime() < before);
}

function newestFirst(one: JudgedTag, other: JudgedTag): number {
  const [time, otherTime] = [timeOf(one), timeOf(other)];
  if (time !== otherTime) return time > otherTime ? -1 : 1;
  return one.name < other.name ? -1 : 1;
}

const timeOf = ({ createdAt }: JudgedTag): number => createdAt?.getTime() ?? Number.POSITIVE_INFINITY;
