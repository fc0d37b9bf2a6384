import type { NewDelivery } from '../delivery/delivery.repository';
import type { Occurrence, Payload } from '../events/occurrence';
import { passesFilter } from './branch-filter';
import type { MatchingHook } from './hook.repository';
import { queueOf } from './hook-delivery-handler';

/** `issues_events` goes out under `issue_hooks`; what stands under no switch under `system_hooks`. */
export const triggerOf = (under: string | null): string => (under ?? 'system_events').replace(/s?_events$/, '_hooks');

/** What each of some hooks is to be told of an occurrence: the same payload, those with a filter only of their branches. */
export async function hookDeliveries(
  hooks: readonly MatchingHook[],
  { id, switch: under, branch }: Occurrence,
  make: () => Promise<Payload>,
): Promise<NewDelivery[]> {
  const told = hooks.filter((hook) => branch === null || passesFilter(hook, branch));
  if (told.length === 0) return [];
  const payload = JSON.stringify(await make());
  return told.map(({ _id }) => ({ line: queueOf(_id), key: id, trigger: triggerOf(under), payload }));
}
