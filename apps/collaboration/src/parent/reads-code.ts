import { type Ability, Access, type ProjectRef, reaches } from '@moothall/contracts';

type Read = Pick<ProjectRef, 'visibility' | 'accessLevel' | 'abilities'>;

const readsBy = (ability: Ability) => (project: Read) =>
  project.visibility !== 'private' || reaches(project, Access.Reporter, ability);

/**
 * Whether somebody who reads a project also reads its code: in private ones not below reporter, but for an ability.
 * See docs/api/access.md#5.
 */
export const readsCode = readsBy('read_code');

/** The same for merge requests, which show code. */
export const readsMergeRequests = readsBy('admin_merge_request');
