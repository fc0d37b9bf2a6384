import { z } from 'zod';
import { UserSummary } from '../identity/user';
import {
  Access,
  del,
  errors,
  get,
  groupRef,
  id,
  nothing,
  onGroup,
  onProject,
  operation,
  page,
  post,
  projectRef,
  put,
  time,
} from '../operation';
import { Member } from './member';

/** A wish to become a member. Source: specification 2.14. */
export const AccessRequest = UserSummary.extend({ created_at: time, requested_at: time });
export type AccessRequest = z.infer<typeof AccessRequest>;

export const accessRequestErrors = errors('access_request', {
  notFound: { status: 404, message: '404 Not found', means: 'No pending request of that user.' },
  exists: {
    status: 400,
    message: { user_id: ['already exists in source'] },
    means: 'The user is a member already, or has asked already.',
  },
  disabled: {
    status: 403,
    message: '403 Forbidden - Access requests are disabled here.',
    means: 'The project or group takes no access requests.',
  },
});

const approval = { user_id: id, access_level: z.int().default(Access.Developer) };

export const listProjectAccessRequests = operation({
  name: 'projects.project-access-requests.list',
  http: get('/projects/:id/access_requests'),
  access: onProject({ level: Access.Maintainer }),
  input: z.object(projectRef),
  output: page(AccessRequest),
});

/** Asks for membership, on behalf of the caller. Those who may approve it get a mail. */
export const requestProjectAccess = operation({
  name: 'projects.project-access-requests.create',
  http: post('/projects/:id/access_requests'),
  access: onProject(),
  input: z.object(projectRef),
  output: AccessRequest,
});

/** Turns a pending request into a membership. Source: specification 4.14; clarifications B.14. */
export const approveProjectAccessRequest = operation({
  name: 'projects.project-access-requests.approve',
  http: put('/projects/:id/access_requests/:user_id/approve', { success: 201 }),
  access: onProject({ level: Access.Maintainer }),
  input: z.object({ ...projectRef, ...approval }),
  output: Member,
});

/** For maintainers, and for those who withdraw their own. */
export const denyProjectAccessRequest = operation({
  name: 'projects.project-access-requests.deny',
  http: del('/projects/:id/access_requests/:user_id'),
  access: onProject(),
  input: z.object({ ...projectRef, user_id: id }),
  output: nothing(),
});

export const listGroupAccessRequests = operation({
  name: 'projects.group-access-requests.list',
  http: get('/groups/:id/access_requests'),
  access: onGroup({ level: Access.Owner }),
  input: z.object(groupRef),
  output: page(AccessRequest),
});

/** Asks for membership, on behalf of the caller. Those who may approve it get a mail. */
export const requestGroupAccess = operation({
  name: 'projects.group-access-requests.create',
  http: post('/groups/:id/access_requests'),
  access: onGroup(),
  input: z.object(groupRef),
  output: AccessRequest,
});

/** Turns a pending request into a membership. Source: specification 4.14; clarifications B.14. */
export const approveGroupAccessRequest = operation({
  name: 'projects.group-access-requests.approve',
  http: put('/groups/:id/access_requests/:user_id/approve', { success: 201 }),
  access: onGroup({ level: Access.Owner }),
  input: z.object({ ...groupRef, ...approval }),
  output: Member,
});

/** For owners, and for those who withdraw their own. */
export const denyGroupAccessRequest = operation({
  name: 'projects.group-access-requests.deny',
  http: del('/groups/:id/access_requests/:user_id'),
  access: onGroup(),
  input: z.object({ ...groupRef, user_id: id }),
  output: nothing(),
});
