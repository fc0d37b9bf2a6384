import type { NewDelivery } from '../delivery/delivery.repository';
import type { Occurrence, Payload } from '../events/occurrence';
import { passesFilter } from './branch-filter';
import type { MatchingHook } from './hook.repository';
import { queueOf } from './hook-delivery-handler';

/** `issues_events` is sent as `issue_hooks`, an occurrence without a switch as `system_hooks`. */
export const triggerOf = (under: string | null): string => (under ?? 'system_events').replace(/s?_events$/, '_hooks');

/** The deliveries of an occurrence to hooks, which share a payload. Hooks with a branch filter get only their branches. */
export async function hookDeliveries(
  hooks: readonly MatchingHook[],
  { id, switch: under, branch }: Occurrence,
  make: () => Promise<Payload>,
): Promise<NewDelivery[]> {
  const matching = hooks.filter((hook) => branch === null || passesFilter(hook, branch));
  if (matching.length === 0) return [];
  const payload = JSON.stringify(await make());
  return matching.map(({ _id }) => ({ line: queueOf(_id), key: id, trigger: triggerOf(under), payload }));
}
