import type { DeletionRules } from './deletion-rules';

/** What a tag is judged by. */
export interface JudgedTag {
  name: string;
  /** When its image was created; null if the image does not say. */
  createdAt: Date | null;
}

/** Never deleted in bulk. */
const protectedName = 'latest';

/** Whether rules are about a tag of that name at all. */
export const concerns = ({ deletes, keeps }: DeletionRules, name: string): boolean =>
  name !== protectedName && deletes(name) && !keeps(name);

/**
 * Which of the tags that rules are about go: newest first, without the first ones, of the rest the old. One without a
 * time is the newest of all, and never old. See docs/api/registry.md#6.
 * @param tags those that rules concern, all of them and in any order
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
