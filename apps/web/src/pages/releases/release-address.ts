import type { Project } from '@moothall/contracts';
import type { RouteAddress } from '../../page/page';

/** The release of an address. */
export const releaseAt = (project: Project, { params }: RouteAddress) => ({
  id: String(project.id),
  tag_name: params.tag ?? '',
});
