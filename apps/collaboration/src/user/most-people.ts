import { invalidRecord } from '@moothall/contracts';

/** That a record remembers of each kind, subscribers, participants or assignees, so that its document keeps a size. */
export const mostPeople = 10_000;

/** @throws common.invalid_record */
export function refuseFull(subscriberIds: number[]): void {
  if (subscriberIds.length >= mostPeople) throw invalidRecord({ base: ['has too many subscribers'] });
}
