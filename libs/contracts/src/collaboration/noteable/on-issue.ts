import { id, onProject, projectRef } from '../../operation';
import { awardOperations, noteAwardOperations } from './award-emoji';
import { discussionCreation, discussionOperations } from './discussion';
import { labelEventOperations } from './label-event';
import { commandRefusals, noteCreation, noteOperations } from './note';

/** Issues, as those know them who write notes on them. */
const issue = {
  kind: 'issue',
  path: '/projects/:id/issues/:issue_iid',
  parameters: { ...projectRef, issue_iid: id },
  access: onProject({ feature: 'issues' }),
  noun: 'an issue',
  missing: 'issue.not_found',
};

export const issueNotes = noteOperations({
  ...issue,
  creation: noteCreation,
  creationRefusals: commandRefusals,
  singleRefusals: ['note.not_visible'],
});
export const {
  list: listIssueNotes,
  get: getIssueNote,
  create: createIssueNote,
  update: updateIssueNote,
  remove: deleteIssueNote,
} = issueNotes;

export const issueDiscussions = discussionOperations({ ...issue, creation: discussionCreation });
export const {
  list: listIssueDiscussions,
  get: getIssueDiscussion,
  create: createIssueDiscussion,
  reply: replyToIssueDiscussion,
  getNote: getIssueDiscussionNote,
  updateNote: updateIssueDiscussionNote,
  removeNote: deleteIssueDiscussionNote,
} = issueDiscussions;

export const issueAwards = awardOperations(issue);
export const {
  list: listIssueAwards,
  get: getIssueAward,
  create: createIssueAward,
  remove: deleteIssueAward,
} = issueAwards;

export const issueNoteAwards = noteAwardOperations(issue);
export const {
  list: listIssueNoteAwards,
  get: getIssueNoteAward,
  create: createIssueNoteAward,
  remove: deleteIssueNoteAward,
} = issueNoteAwards;

export const issueLabelEvents = labelEventOperations(issue);
export const { list: listIssueLabelEvents, get: getIssueLabelEvent } = issueLabelEvents;
