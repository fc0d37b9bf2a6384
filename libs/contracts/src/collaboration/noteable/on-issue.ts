import { id, onProject, projectRef } from '../../operation';
import { awardOperations, noteAwardOperations } from './award-emoji';
import { discussionBeginnings, discussionCreation, discussionOperations } from './discussion';
import { commandRefusals, noteCreation, noteOperations } from './note';
import {
  iterationEventOperations,
  labelEventOperations,
  milestoneEventOperations,
  stateEventOperations,
  weightEventOperations,
} from './resource-event';

/** Issues as records with notes. */
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
export const listIssueDiscussionBeginnings = discussionBeginnings(issue);

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

export const issueMilestoneEvents = milestoneEventOperations(issue);
export const { list: listIssueMilestoneEvents, get: getIssueMilestoneEvent } = issueMilestoneEvents;

export const issueIterationEvents = iterationEventOperations({ ...issue, tier: 'enterprise' });
export const { list: listIssueIterationEvents, get: getIssueIterationEvent } = issueIterationEvents;

export const issueStateEvents = stateEventOperations(issue);
export const { list: listIssueStateEvents, get: getIssueStateEvent } = issueStateEvents;

export const issueWeightEvents = weightEventOperations(issue);
export const { list: listIssueWeightEvents, get: getIssueWeightEvent } = issueWeightEvents;
