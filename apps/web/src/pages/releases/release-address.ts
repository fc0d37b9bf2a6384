import type { ProjectRef } from '@moothall/contracts';
import type { RouteAddress } from '../../page/page';

/** The release of an address. */
export const releaseAt = (project: ProjectRef, { params }: RouteAddress) => ({
  id: String(project.id),
  tag_name: params.tag ?? '',
});
