import type { Project } from '@moothall/contracts';
import type { RouteAddress } from '../../page/page';
import { below } from '../../parts/code-address';
import { numberIn } from '../../parts/number-in';

/** The parameters of operations on the webhook of an address. @throws common.not_found */
export const hookAt = (project: Project, address: RouteAddress) => ({
  id: String(project.id),
  hook_id: numberIn(address, 'hook_id'),
});

/** The path of the page of the webhook of an address. */
export const hookPath = (project: Project, address: RouteAddress): string =>
  below(project, `hooks/${numberIn(address, 'hook_id')}/edit`);

/** The path of the page of a delivery. */
export const deliveryPath = (project: Project, hookId: number, eventId: number): string =>
  below(project, `hooks/${hookId}/hook_logs/${eventId}`);
