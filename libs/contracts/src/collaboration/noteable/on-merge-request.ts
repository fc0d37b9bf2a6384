import { z } from 'zod';
import { id, operation, projectRef, put } from '../../operation';
import { takesPartInMergeRequests } from '../merge-request/merge-request';
import { awardOperations, noteAwardOperations } from './award-emoji';
import { Discussion, discussionBeginnings, discussionCreation, discussionOperations } from './discussion';
import { commandRefusals, NotePosition, noteCreation, noteOperations } from './note';
import { labelEventOperations, milestoneEventOperations, stateEventOperations } from './resource-event';

/** Merge requests as records with notes. */
const mergeRequest = {
  kind: 'merge-request',
  path: '/projects/:id/merge_requests/:merge_request_iid',
  parameters: { ...projectRef, merge_request_iid: id },
  access: takesPartInMergeRequests,
  noun: 'a merge request',
  missing: 'merge_request.not_found',
};

export const mergeRequestNotes = noteOperations({
  ...mergeRequest,
  creation: noteCreation,
  creationRefusals: commandRefusals,
});
export const {
  list: listMergeRequestNotes,
  get: getMergeRequestNote,
  create: createMergeRequestNote,
  update: updateMergeRequestNote,
  remove: deleteMergeRequestNote,
} = mergeRequestNotes;

export const mergeRequestDiscussions = discussionOperations({
  ...mergeRequest,
  creation: { ...discussionCreation, position: NotePosition.optional() },
});
export const {
  list: listMergeRequestDiscussions,
  get: getMergeRequestDiscussion,
  create: createMergeRequestDiscussion,
  reply: replyToMergeRequestDiscussion,
  getNote: getMergeRequestDiscussionNote,
  updateNote: updateMergeRequestDiscussionNote,
  removeNote: deleteMergeRequestDiscussionNote,
} = mergeRequestDiscussions;
export const listMergeRequestDiscussionBeginnings = discussionBeginnings(mergeRequest);

export const resolveMergeRequestDiscussion = operation({
  name: 'collaboration.merge-request-discussions.resolve',
  refusals: ['discussion.not_found', 'discussion.not_resolvable', 'common.forbidden unless author or developer'],
  http: put('/projects/:id/merge_requests/:merge_request_iid/discussions/:discussion_id'),
  access: takesPartInMergeRequests,
  summary: 'Resolve a discussion, or open it again',
  input: z.object({ ...mergeRequest.parameters, discussion_id: z.string(), resolved: z.boolean() }),
  output: Discussion,
});

/** Limit of notes on lines in one answer. */
export const mostLineNotes = 300;

export const listLineDiscussions = operation({
  name: 'collaboration.merge-request-discussions.list-on-lines',
  summary: 'Discussions on lines of some changed files, the oldest first, with the beginnings of their notes',
  onPages: true,
  isRead: true,
  access: takesPartInMergeRequests,
  input: z.object({
    ...mergeRequest.parameters,
    head_sha: z.string().max(64).describe('Of the version whose lines they are on'),
    paths: z.array(z.string().max(8192)).max(200).describe('Old and new paths of the files'),
    characters: z
      .int()
      .min(1)
      .max(64 * 1024)
      .describe('Of each note'),
  }),
  output: z.object({
    discussions: z.array(Discussion),
    is_whole: z.boolean().describe('False if there are more notes than the limit'),
  }),
});

export const mergeRequestAwards = awardOperations(mergeRequest);
export const {
  list: listMergeRequestAwards,
  get: getMergeRequestAward,
  create: createMergeRequestAward,
  remove: deleteMergeRequestAward,
} = mergeRequestAwards;

export const mergeRequestNoteAwards = noteAwardOperations(mergeRequest);
export const {
  list: listMergeRequestNoteAwards,
  get: getMergeRequestNoteAward,
  create: createMergeRequestNoteAward,
  remove: deleteMergeRequestNoteAward,
} = mergeRequestNoteAwards;

export const mergeRequestLabelEvents = labelEventOperations(mergeRequest);
export const { list: listMergeRequestLabelEvents, get: getMergeRequestLabelEvent } = mergeRequestLabelEvents;

export const mergeRequestMilestoneEvents = milestoneEventOperations(mergeRequest);
export const { list: listMergeRequestMilestoneEvents, get: getMergeRequestMilestoneEvent } =
  mergeRequestMilestoneEvents;

export const mergeRequestStateEvents = stateEventOperations(mergeRequest);
export const { list: listMergeRequestStateEvents, get: getMergeRequestStateEvent } = mergeRequestStateEvents;
