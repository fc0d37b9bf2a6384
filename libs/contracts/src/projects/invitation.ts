import { z } from 'zod';
import {
  Access,
  type AccessLevel,
  commaList,
  date,
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
  someChangeOf,
  time,
} from '../operation';

export const invitationErrors = errors('invitation', {
  notFound: { status: 404, message: '404 Not found', means: 'No invitation for that address exists here.' },
});

/** A user who becomes a member when they have that email address. See docs/api/members.md#4. */
const Invitation = z.object({
  id,
  access_level: z.int(),
  created_at: time,
  expires_at: z.string().nullable().describe('Day on which the membership ends'),
  invite_email: z.string(),
  created_by_name: z.string().nullable(),
});
export type Invitation = z.infer<typeof Invitation>;

const address = z.string().max(255);

/** The failures of several invitations. */
const Invited = z.object({
  status: z.enum(['success', 'error']),
  message: z.record(z.string(), z.string()).optional(),
});

/** @param level from which on people are invited */
function invitationsOf<R extends ParentRule>({ kind, path, ref, on }: Parent<R>, level: AccessLevel) {
  const managed = on({ level });
  const one = { ...ref, email: address.describe('Address of the invited') };
  return {
    list: operation({
      name: `projects.${kind}-invitations.list`,
      summary: `Open invitations to a ${kind}`,
      http: get(`${path}/invitations`),
      access: managed,
      input: z.object({ ...ref, query: z.string().max(255).optional().describe('Part of the address') }),
      output: page(Invitation),
    }),
    create: operation({
      name: `projects.${kind}-invitations.create`,
      summary: `Invite people to a ${kind}`,
      description:
        'By address or user, at most a hundred per request. Users with the address become members; other people get a mail and become members when they confirm the address. The answer names the failures. Callers cannot grant a higher level than their own.',
      refusals: ['member.level_not_listed', "common.forbidden for a level above the caller's own"],
      http: post(`${path}/invitations`),
      access: managed,
      input: z
        .object({
          ...ref,
          email: commaList(address, 100).optional().describe('Addresses, joined by commas'),
          user_id: commaList(id, 100).optional().describe('Users, joined by commas'),
          access_level: z.int(),
          expires_at: date.nullish(),
        })
        .refine(({ email = [], user_id = [] }) => email.length + user_id.length > 0, {
          error: 'email, user_id are missing, at least one parameter must be provided',
        }),
      output: Invited,
    }),
    update: operation({
      name: `projects.${kind}-invitations.update`,
      summary: `Change an invitation to a ${kind}`,
      refusals: ['invitation.not_found', 'member.level_not_listed'],
      http: put(`${path}/invitations/:email`),
      access: managed,
      input: z
        .object({ ...one, access_level: z.int().optional(), expires_at: date.nullish() })
        .refine(...someChangeOf('access_level', 'expires_at')),
      output: Invitation,
    }),
    delete: operation({
      name: `projects.${kind}-invitations.delete`,
      summary: `Withdraw an invitation to a ${kind}`,
      refusals: ['invitation.not_found'],
      http: del(`${path}/invitations/:email`),
      access: managed,
      input: z.object(one),
      output: nothing(),
    }),
  };
}

export const {
  list: listProjectInvitations,
  create: inviteToProject,
  update: updateProjectInvitation,
  delete: deleteProjectInvitation,
} = invitationsOf(ofProjects, Access.Maintainer);

export const {
  list: listGroupInvitations,
  create: inviteToGroup,
  update: updateGroupInvitation,
  delete: deleteGroupInvitation,
} = invitationsOf(ofGroups, Access.Owner);
