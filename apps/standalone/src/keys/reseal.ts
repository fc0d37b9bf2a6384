import { type InputOf, type OutputOf, resealings } from '@moothall/contracts';
import type { OperationClient } from '@moothall/messaging';

/** Counts of encrypted values in services. */
export interface SealedCounts {
  /** Names of the first key in each process that answered. */
  keyNames: Set<string>;
  seen: number;
  /** Encrypted with another key. */
  outdated: number;
  resealed: number;
  /** Encrypted with an unknown key. */
  unreadable: string[];
}

/**
 * Walks once through all encrypted values of every service.
 * @param onlyCount changes nothing
 * @throws OperationError if a service does not answer: completed changes stay
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
 * Repeats until no value has another key: values that changed meanwhile are checked again. Idempotent and safe to
 * interrupt.
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
