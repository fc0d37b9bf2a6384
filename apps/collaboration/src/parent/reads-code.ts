import { type Ability, Access, type ProjectRef, reaches } from '@moothall/contracts';

type Read = Pick<ProjectRef, 'visibility' | 'accessLevel' | 'abilities'>;

const readsBy = (ability: Ability) => (project: Read) =>
  project.visibility !== 'private' || reaches(project, Access.Reporter, ability);

/**
 * Whether a reader of a project may read its code: in private ones reporter and above, or an ability. See
 * docs/api/access.md#5.
 */
export const readsCode = readsBy('read_code');

/** The same for merge requests, which show code. */
export const readsMergeRequests = readsBy('admin_merge_request');
