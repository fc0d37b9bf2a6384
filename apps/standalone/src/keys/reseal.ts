import { type InputOf, type OutputOf, resealings } from '@moothall/contracts';
import type { OperationClient } from '@moothall/messaging';

/** What services keep encrypted, as far as it was looked at. */
export interface SealedCounts {
  /** Of the first key, as each process that was asked has it. */
  keyNames: Set<string>;
  seen: number;
  /** Under another key. */
  outdated: number;
  resealed: number;
  /** Under a key that nobody has. */
  unreadable: string[];
}

/**
 * Goes once through what every service keeps encrypted.
 * @param onlyCount changes nothing
 * @throws OperationError of a service that does not answer: what was done until then stays done
 */
export async function resealOnce(client: OperationClient, onlyCount: boolean): Promise<SealedCounts> {
  const counts: SealedCounts = { keyNames: new Set(), seen: 0, outdated: 0, resealed: 0, unreadable: [] };
  for (const operation of resealings) {
    let input: InputOf<typeof operation> | undefined = { only_count: onlyCount };
    while (input) {
      const found: OutputOf<typeof operation> = await client.call(operation, input);
      counts.keyNames.add(found.key_name);
      counts.seen += found.seen;
      counts.outdated += found.outdated;
      counts.resealed += found.resealed;
      counts.unreadable.push(...found.unreadable);
      input = found.after === null ? undefined : { after: found.after, only_count: onlyCount };
    }
  }
  return counts;
}

/**
 * Goes through all of it until nothing is left under another key: what was changed while it was looked at is looked at
 * again. Safe to be cut off, and to be done twice.
 */
export async function resealAll(client: OperationClient): Promise<SealedCounts> {
  let resealed = 0;
  for (;;) {
    const counts = await resealOnce(client, false);
    if (counts.keyNames.size > 1) throw new Error(differentKeys);
    resealed += counts.resealed;
    if (counts.outdated === 0) return { ...counts, resealed };
  }
}

export const differentKeys =
  'Processes have different keys in SECRET_KEY: first set the same one for all, with the other in SECRET_KEY_ACCEPTED.';
