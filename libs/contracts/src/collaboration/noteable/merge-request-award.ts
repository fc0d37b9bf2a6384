import { id, projectRef } from '../../operation';
import { takesPartInMergeRequests } from '../merge-request/merge-request';
import { awardOperations } from './award-emoji';

const parameters = { ...projectRef, merge_request_iid: id };
const path = '/projects/:id/merge_requests/:merge_request_iid';
const access = takesPartInMergeRequests;

export const [listMergeRequestAwards, getMergeRequestAward, createMergeRequestAward, deleteMergeRequestAward] =
  awardOperations({
    name: 'collaboration.merge-request-awards',
    path,
    parameters,
    access,
    noun: 'a merge request',
  });

export const [
  listMergeRequestNoteAwards,
  getMergeRequestNoteAward,
  createMergeRequestNoteAward,
  deleteMergeRequestNoteAward,
] = awardOperations({
  name: 'collaboration.merge-request-note-awards',
  path: `${path}/notes/:note_id`,
  parameters: { ...parameters, note_id: id },
  access,
  noun: 'a note of a merge request',
});
