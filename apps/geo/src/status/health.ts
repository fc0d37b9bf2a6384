import type { Impostor, Position } from '../replication/position.schema';

/** The primary is polled every second. */
const awayAfterSeconds = 60;
const behindAfterSeconds = 300;
const fullBelowShare = 0.05;

export interface HealthFacts {
  now: Date;
  /** Null if the primary has never answered. */
  position: Pick<Position, 'heardAt' | 'caughtUpAt' | 'walkAfter'> | null;
  /** Another server found at the primary's URL. */
  impostor: Pick<Impostor, 'foundAt' | 'words'> | null;
  /** Services of this site that do not answer. */
  silent: readonly string[];
  disks: readonly { storage: string; free_share: number }[];
}

/** Errors of a secondary as text; empty if it is healthy. See docs/api/geo.md#3. */
export function healthOf({ now, position, impostor, silent, disks }: HealthFacts): string {
  const since = (time: Date): number => Math.floor((now.getTime() - time.getTime()) / 1000);
  const words: string[] = [];
  const isAway = !position?.heardAt || since(position.heardAt) > awayAfterSeconds;
  const isImpostor = impostor && impostor.foundAt.getTime() > (position?.heardAt?.getTime() ?? 0);
  if (isImpostor) words.push(`What answers at the address of the primary is none: ${impostor.words}`);
  if (!position?.heardAt) words.push('The primary has not answered yet');
  else if (isAway) words.push(`The primary has not answered for ${since(position.heardAt)} seconds`);
  const behind = position?.caughtUpAt ? since(position.caughtUpAt) : 0;
  if (!isAway && behind > behindAfterSeconds) words.push(`It is ${behind} seconds behind its primary`);
  for (const { storage, free_share } of disks) {
    const used = Math.floor((1 - free_share) * 100);
    if (free_share < fullBelowShare) words.push(`The disk of the storage ${storage} is full to ${used} percent`);
  }
  if (silent.length > 0) words.push(`Services do not answer: ${silent.join(', ')}`);
  return words.join('; ').slice(0, 1000);
}
