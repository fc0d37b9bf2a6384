import type { IntegrationSwitch } from '@moothall/contracts';
import type { OpenedIntegration } from '../opened-integrations';

/** Whether an integration is told of what stands under a switch, by its kind and by how its switches are. */
export function isSubscribed({ kind: { events }, document: { switches } }: OpenedIntegration, under: string): boolean {
  // Commits come with a push; whoever hears of commits alone hears of nothing else in it.
  const among = under === 'push_events' ? ['push_events', 'commit_events'] : [under];
  return events.some((event) => {
    const named: IntegrationSwitch = `${event}_events`;
    return among.includes(named) && switches[named] !== false;
  });
}
