import { invalidRecord } from '@moothall/contracts';

/**
 * Limit of labels or milestones that one promotion replaces: their ids are stored in it until all records are updated.
 */
export const mostMergedIds = 100_000;

/** @returns each id once @throws common.invalid_record */
export function mergedIds(ids: number[]): number[] {
  const each = [...new Set(ids)];
  if (each.length > mostMergedIds) throw invalidRecord({ base: ['takes the place of too many'] });
  return each;
}
