import { groupRef, id, onGroup } from '../../operation';
import { awardOperations, noteAwardOperations } from './award-emoji';
import { discussionBeginnings, discussionCreation, discussionOperations } from './discussion';
import { noteCreation, noteOperations } from './note';
import { labelEventOperations, stateEventOperations } from './resource-event';

/** Epics as records with notes. */
const epic = {
  kind: 'epic',
  path: '/groups/:id/epics/:epic_id',
  parameters: { ...groupRef, epic_id: id.describe('Global id') },
  access: onGroup(),
  tier: 'enterprise' as const,
  noun: 'an epic',
  missing: 'epic.not_found',
};

export const epicNotes = noteOperations({
  ...epic,
  creation: { body: noteCreation.body, confidential: noteCreation.confidential },
  creationRefusals: ['common.forbidden'],
  singleDescription: 'The note, with the title of the epic.',
});
export const {
  list: listEpicNotes,
  get: getEpicNote,
  create: createEpicNote,
  update: updateEpicNote,
  remove: deleteEpicNote,
} = epicNotes;

export const epicDiscussions = discussionOperations({ ...epic, creation: discussionCreation });
export const {
  list: listEpicDiscussions,
  get: getEpicDiscussion,
  create: createEpicDiscussion,
  reply: replyToEpicDiscussion,
  getNote: getEpicDiscussionNote,
  updateNote: updateEpicDiscussionNote,
  removeNote: deleteEpicDiscussionNote,
} = epicDiscussions;
export const listEpicDiscussionBeginnings = discussionBeginnings(epic);

/** Paths of awards name it by its number. */
const numberedEpic = {
  ...epic,
  path: '/groups/:id/epics/:epic_iid',
  parameters: { ...groupRef, epic_iid: id },
};

export const epicAwards = awardOperations(numberedEpic);
export const { list: listEpicAwards, get: getEpicAward, create: createEpicAward, remove: deleteEpicAward } = epicAwards;

export const epicNoteAwards = noteAwardOperations(numberedEpic);
export const {
  list: listEpicNoteAwards,
  get: getEpicNoteAward,
  create: createEpicNoteAward,
  remove: deleteEpicNoteAward,
} = epicNoteAwards;

export const epicLabelEvents = labelEventOperations(epic);
export const { list: listEpicLabelEvents, get: getEpicLabelEvent } = epicLabelEvents;

export const epicStateEvents = stateEventOperations(epic);
export const { list: listEpicStateEvents, get: getEpicStateEvent } = epicStateEvents;
