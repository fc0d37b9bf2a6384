import { z } from 'zod';
import { UserSummary } from '../identity/user';
import {
  Access,
  type AccessLevel,
  del,
  errors,
  get,
  id,
  nothing,
  ofGroups,
  ofProjects,
  operation,
  type Parent,
  type ParentRule,
  page,
  post,
  put,
  time,
} from '../operation';
import { Member } from './member';

/** A wish to become a member. See docs/api/members.md#2. */
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

/** @param level from which on requests are decided */
function accessRequestsOf<R extends ParentRule>({ kind, path, ref, on }: Parent<R>, level: AccessLevel) {
  return {
    list: operation({
      name: `projects.${kind}-access-requests.list`,
      summary: `Access requests to a ${kind}`,
      http: get(`${path}/access_requests`),
      access: on({ level }),
      input: z.object(ref),
      output: page(AccessRequest),
    }),
    create: operation({
      name: `projects.${kind}-access-requests.create`,
      summary: `Ask for access to a ${kind}`,
      description: 'For the caller. Users who may approve it get a mail.',
      refusals: [
        'access_request.exists',
        'access_request.disabled',
        ...(kind === 'project' ? ['project.archived'] : []),
      ],
      http: post(`${path}/access_requests`),
      access: on(),
      input: z.object(ref),
      output: AccessRequest,
    }),
    /** See docs/api/members.md#2. */
    approve: operation({
      name: `projects.${kind}-access-requests.approve`,
      summary: `Approve an access request to a ${kind}`,
      description: 'Callers cannot grant a higher level than their own.',
      refusals: ['access_request.not_found', 'member.level_not_listed'],
      http: put(`${path}/access_requests/:user_id/approve`, { success: 201 }),
      access: on({ level }),
      input: z.object({ ...ref, ...approval }),
      output: Member,
    }),
    deny: operation({
      name: `projects.${kind}-access-requests.deny`,
      summary: `Refuse or withdraw an access request to a ${kind}`,
      description: 'For those who decide, and for those who withdraw their own.',
      refusals: ['access_request.not_found'],
      http: del(`${path}/access_requests/:user_id`),
      access: on(),
      input: z.object({ ...ref, user_id: id }),
      output: nothing(),
    }),
  };
}

export const {
  list: listProjectAccessRequests,
  create: requestProjectAccess,
  approve: approveProjectAccessRequest,
  deny: denyProjectAccessRequest,
} = accessRequestsOf(ofProjects, Access.Maintainer);

export const {
  list: listGroupAccessRequests,
  create: requestGroupAccess,
  approve: approveGroupAccessRequest,
  deny: denyGroupAccessRequest,
} = accessRequestsOf(ofGroups, Access.Owner);
