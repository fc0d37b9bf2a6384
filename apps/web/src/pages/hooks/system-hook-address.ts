import type { RouteAddress } from '../../page/page';
import { numberIn } from '../../parts/number-in';

export const systemHooksPath = '/admin/hooks';

/** The path of the page of a system hook. */
export const systemHookPath = (id: number): string => `${systemHooksPath}/${id}/edit`;

/** The path of the page of a delivery. */
export const systemDeliveryPath = (id: number, eventId: number): string =>
  `${systemHooksPath}/${id}/hook_logs/${eventId}`;

/** The parameters of operations on the delivery of an address. @throws common.not_found */
export const systemDeliveryAt = (address: RouteAddress) => ({
  id: numberIn(address, 'hook_id'),
  hook_event_id: numberIn(address, 'event_id'),
});
