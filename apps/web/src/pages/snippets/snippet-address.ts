import type { ProjectRef } from '@moothall/contracts';
import type { RouteAddress } from '../../page/page';
import { numberIn } from '../../parts/number-in';

/** The snippet of an address. @throws common.not_found */
export const snippetAt = (address: RouteAddress) => ({ id: numberIn(address, 'id') });

/** The same in a project. */
export const projectSnippetAt = (project: ProjectRef, address: RouteAddress) => ({
  id: String(project.id),
  snippet_id: numberIn(address, 'id'),
});
