import { z } from 'zod';
import { Access, del, errors, get, id, onProject, operation, page, post, projectRef, time } from '../../operation';
import { Issue } from './issue-view';

export const issueLinkErrors = errors('issue_link', {
  notFound: {
    status: 404,
    message: '404 Not found',
    means: 'The issue has no such link, or the caller may not see its target.',
  },
  noTarget: {
    status: 404,
    message: 'No matching issue found. Make sure that you are adding a valid issue URL.',
    means: 'The target does not exist, or the caller may not see it or is no reporter there.',
  },
  taken: {
    status: 409,
    message: 'Issue(s) already assigned',
    means: 'The two are linked, in this direction or the other.',
  },
  itself: {
    status: 422,
    message: 'Source issue cannot be related to itself',
    means: 'A link leads from one issue to another.',
  },
});

export const issueLinkTypes = ['relates_to', 'blocks', 'is_blocked_by'] as const;
export type IssueLinkType = (typeof issueLinkTypes)[number];
const linkType = z.enum(issueLinkTypes);

/** The other end of a link; the type is seen from the issue whose links are listed. */
export const LinkedIssue = Issue.extend({
  issue_link_id: id,
  link_type: linkType,
  link_created_at: time,
  link_updated_at: time,
});
export type LinkedIssue = z.infer<typeof LinkedIssue>;

/** Both ends; the source blocks the target. */
export const IssueLink = z.object({ id, source_issue: Issue, target_issue: Issue, link_type: linkType });
export type IssueLink = z.infer<typeof IssueLink>;

const onIssue = { ...projectRef, issue_iid: id };

export const listIssueLinks = operation({
  name: 'collaboration.issue-links.list',
  description: 'Oldest first, both directions; those to issues that the caller does not see are left out.',
  refusals: ['issue.not_found'],
  http: get('/projects/:id/issues/:issue_iid/links'),
  access: onProject({ feature: 'issues', anonymous: true }),
  summary: 'Issues that an issue is linked to',
  input: z.object(onIssue),
  output: page(LinkedIssue),
});

export const getIssueLink = operation({
  name: 'collaboration.issue-links.get',
  refusals: ['issue.not_found', 'issue_link.not_found'],
  http: get('/projects/:id/issues/:issue_iid/links/:issue_link_id'),
  access: onProject({ feature: 'issues', anonymous: true }),
  summary: 'One link of an issue',
  input: z.object({ ...onIssue, issue_link_id: id }),
  output: IssueLink,
});

export const createIssueLink = operation({
  name: 'collaboration.issue-links.create',
  description: 'For reporters of both projects.',
  refusals: ['issue.not_found', 'issue_link.no_target', 'issue_link.taken', 'issue_link.itself'],
  http: post('/projects/:id/issues/:issue_iid/links'),
  access: onProject({ feature: 'issues', level: Access.Reporter }),
  summary: 'Link an issue to another',
  input: z.object({
    ...onIssue,
    target_project_id: z.string().describe('Id or path'),
    target_issue_iid: id,
    link_type: linkType.default('relates_to'),
  }),
  output: IssueLink,
});

export const deleteIssueLink = operation({
  name: 'collaboration.issue-links.delete',
  description: 'For reporters of both projects.',
  refusals: ['issue.not_found', 'issue_link.not_found', 'common.forbidden'],
  http: del('/projects/:id/issues/:issue_iid/links/:issue_link_id', { success: 200 }),
  access: onProject({ feature: 'issues', level: Access.Reporter }),
  summary: 'Remove a link, in both directions',
  input: z.object({ ...onIssue, issue_link_id: id }),
  output: IssueLink,
});
