import type { RouteAddress } from '../../page/page';
import { numberIn } from '../../parts/number-in';
import type { HooksOf } from './hook-operations';

/** The parameters of operations on the webhook of an address. @throws common.not_found */
export const hookAt = (parent: { id: number }, address: RouteAddress) => ({
  id: String(parent.id),
  hook_id: numberIn(address, 'hook_id'),
});

/** The path of the page of the webhook of an address. */
export const hookPath = <T>({ pathIn }: HooksOf<T>, parent: T, address: RouteAddress): string =>
  pathIn(parent, `hooks/${numberIn(address, 'hook_id')}/edit`);

/** The path of the page of a delivery. */
export const deliveryPath = <T>({ pathIn }: HooksOf<T>, parent: T, hookId: number, eventId: number): string =>
  pathIn(parent, `hooks/${hookId}/hook_logs/${eventId}`);
