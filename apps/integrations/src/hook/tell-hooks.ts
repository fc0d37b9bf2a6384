import type { NewDelivery } from '../delivery/delivery.repository';
import type { Occurrence, Payload } from '../events/occurrence';
import { passesFilter } from './branch-filter';
import type { WantingHook } from './hook.repository';
import { lineOf } from './hook-courier';

/** `issues_events` goes out under `issue_hooks`; what stands under no switch under `system_hooks`. */
export const triggerOf = (under: string | null): string => (under ?? 'system_events').replace(/s?_events$/, '_hooks');

/** What each of some hooks is to be told of an occurrence: the same payload, those with a filter only of their branches. */
export async function tellHooks(
  hooks: readonly WantingHook[],
  { id, switch: under, branch }: Occurrence,
  make: () => Promise<Payload>,
): Promise<NewDelivery[]> {
  const told = hooks.filter((hook) => branch === null || passesFilter(hook, branch));
  if (told.length === 0) return [];
  const payload = JSON.stringify(await make());
  return told.map(({ _id }) => ({ line: lineOf(_id), key: id, trigger: triggerOf(under), payload }));
}
