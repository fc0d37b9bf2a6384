import type { IntegrationSwitch } from '@moothall/contracts';
import type { OpenedIntegration } from '../opened-integrations';

/** Whether an integration receives the events of a switch, by its kind and its own switches. */
export function isSubscribed({ kind: { events }, document: { switches } }: OpenedIntegration, under: string): boolean {
  // Commits arrive with a push. An integration that only receives commits ignores the rest of it.
  const among = under === 'push_events' ? ['push_events', 'commit_events'] : [under];
  return events.some((event) => {
    const named: IntegrationSwitch = `${event}_events`;
    return among.includes(named) && switches[named] !== false;
  });
}
