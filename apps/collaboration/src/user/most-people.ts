import { invalidRecord } from '@moothall/contracts';

/** Limit of subscribers, participants or assignees in one record, which bounds the size of its document. */
export const mostPeople = 10_000;

/** @throws common.invalid_record */
export function refuseFull(subscriberIds: number[]): void {
  if (subscriberIds.length >= mostPeople) throw invalidRecord({ base: ['has too many subscribers'] });
}
