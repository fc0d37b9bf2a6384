import {
  epicAwards,
  epicDiscussions,
  epicLabelEvents,
  epicNoteAwards,
  epicNotes,
  issueAwards,
  issueDiscussions,
  issueLabelEvents,
  issueNoteAwards,
  issueNotes,
  mergeRequestAwards,
  mergeRequestDiscussions,
  mergeRequestLabelEvents,
  mergeRequestNoteAwards,
  mergeRequestNotes,
  resolveMergeRequestDiscussion,
  snippetAwards,
  snippetDiscussions,
  snippetNoteAwards,
  snippetNotes,
} from '@moothall/contracts';
import { answering } from './answering';
import { EpicNoteable } from './epic-noteable';
import { IssueNoteable } from './issue-noteable';
import { MergeRequestNoteable } from './merge-request-noteable';
import { SnippetNoteable } from './snippet-noteable';

/** All that is noted, discussed and awarded, and whose label events are told: who finds it, and what is answered. */
export const noteables = [
  answering(IssueNoteable, {
    notes: issueNotes,
    discussions: issueDiscussions,
    awards: issueAwards,
    noteAwards: issueNoteAwards,
    labelEvents: issueLabelEvents,
  }),
  answering(MergeRequestNoteable, {
    notes: mergeRequestNotes,
    discussions: { ...mergeRequestDiscussions, resolve: resolveMergeRequestDiscussion },
    awards: mergeRequestAwards,
    noteAwards: mergeRequestNoteAwards,
    labelEvents: mergeRequestLabelEvents,
  }),
  answering(EpicNoteable, {
    notes: epicNotes,
    discussions: epicDiscussions,
    awards: epicAwards,
    noteAwards: epicNoteAwards,
    labelEvents: epicLabelEvents,
  }),
  answering(SnippetNoteable, {
    notes: snippetNotes,
    discussions: snippetDiscussions,
    awards: snippetAwards,
    noteAwards: snippetNoteAwards,
  }),
];
