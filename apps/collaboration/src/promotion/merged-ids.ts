import { invalidRecord } from '@moothall/contracts';

/** Labels, or milestones, whose place one of their group takes: their numbers stand in it until all have changed over. */
export const mostMergedIds = 100_000;

/** @returns each once @throws common.invalid_record */
export function mergedIds(ids: number[]): number[] {
  const each = [...new Set(ids)];
  if (each.length > mostMergedIds) throw invalidRecord({ base: ['takes the place of too many'] });
  return each;
}
