import { z } from 'zod';
import { groupRef, id, onGroup, onProject, operation, projectRef, put } from '../../operation';
import { takesPartInMergeRequests } from '../merge-request/merge-request';
import { Discussion, discussionCreation, discussionOperations } from './discussion';
import { NotePosition } from './note';

export const [
  listIssueDiscussions,
  getIssueDiscussion,
  createIssueDiscussion,
  replyToIssueDiscussion,
  getIssueDiscussionNote,
  updateIssueDiscussionNote,
  deleteIssueDiscussionNote,
] = discussionOperations({
  name: 'collaboration.issue-discussions',
  path: '/projects/:id/issues/:issue_iid',
  parameters: { ...projectRef, issue_iid: id },
  creation: discussionCreation,
  access: onProject({ feature: 'issues' }),
  noun: 'an issue',
});

const mergeRequest = { ...projectRef, merge_request_iid: id };

export const [
  listMergeRequestDiscussions,
  getMergeRequestDiscussion,
  createMergeRequestDiscussion,
  replyToMergeRequestDiscussion,
  getMergeRequestDiscussionNote,
  updateMergeRequestDiscussionNote,
  deleteMergeRequestDiscussionNote,
] = discussionOperations({
  name: 'collaboration.merge-request-discussions',
  path: '/projects/:id/merge_requests/:merge_request_iid',
  parameters: mergeRequest,
  creation: { ...discussionCreation, position: NotePosition.optional() },
  access: takesPartInMergeRequests,
  noun: 'a merge request',
});

export const resolveMergeRequestDiscussion = operation({
  name: 'collaboration.merge-request-discussions.resolve',
  refusals: ['discussion.not_found', 'discussion.not_resolvable', 'common.forbidden unless author or developer'],
  http: put('/projects/:id/merge_requests/:merge_request_iid/discussions/:discussion_id'),
  access: takesPartInMergeRequests,
  summary: 'Resolve a discussion, or open it again',
  input: z.object({ ...mergeRequest, discussion_id: z.string(), resolved: z.boolean() }),
  output: Discussion,
});

export const [
  listSnippetDiscussions,
  getSnippetDiscussion,
  createSnippetDiscussion,
  replyToSnippetDiscussion,
  getSnippetDiscussionNote,
  updateSnippetDiscussionNote,
  deleteSnippetDiscussionNote,
] = discussionOperations({
  name: 'collaboration.snippet-discussions',
  path: '/projects/:id/snippets/:snippet_id',
  parameters: { ...projectRef, snippet_id: id },
  creation: discussionCreation,
  access: onProject({ feature: 'snippets' }),
  noun: 'a snippet',
});

export const [
  listEpicDiscussions,
  getEpicDiscussion,
  createEpicDiscussion,
  replyToEpicDiscussion,
  getEpicDiscussionNote,
  updateEpicDiscussionNote,
  deleteEpicDiscussionNote,
] = discussionOperations({
  name: 'collaboration.epic-discussions',
  path: '/groups/:id/epics/:epic_id',
  parameters: { ...groupRef, epic_id: id.describe('Global id') },
  creation: discussionCreation,
  access: onGroup(),
  tier: 'enterprise',
  noun: 'an epic',
});
