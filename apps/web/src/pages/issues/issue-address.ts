import type { ProjectRef } from '@moothall/contracts';
import type { RouteAddress } from '../../page/page';
import { numberIn } from '../../parts/number-in';

/** The issue of an address. @throws common.not_found */
export const issueAt = (project: ProjectRef, address: RouteAddress) => ({
  id: String(project.id),
  issue_iid: numberIn(address, 'iid'),
});
