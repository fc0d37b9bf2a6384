import {
  commitDiscussions,
  epicAwards,
  epicDiscussions,
  epicLabelEvents,
  epicNoteAwards,
  epicNotes,
  epicStateEvents,
  issueAwards,
  issueDiscussions,
  issueIterationEvents,
  issueLabelEvents,
  issueMilestoneEvents,
  issueNoteAwards,
  issueNotes,
  issueStateEvents,
  issueWeightEvents,
  listEpicDiscussionBeginnings,
  listIssueDiscussionBeginnings,
  listLineDiscussions,
  listMergeRequestDiscussionBeginnings,
  listSnippetDiscussionBeginnings,
  mergeRequestAwards,
  mergeRequestDiscussions,
  mergeRequestLabelEvents,
  mergeRequestMilestoneEvents,
  mergeRequestNoteAwards,
  mergeRequestNotes,
  mergeRequestStateEvents,
  resolveMergeRequestDiscussion,
  snippetAwards,
  snippetDiscussions,
  snippetNoteAwards,
  snippetNotes,
} from '@moothall/contracts';
import { answering } from './answering';
import { CommitNoteable } from './commit-noteable';
import { EpicNoteable } from './epic-noteable';
import { IssueNoteable } from './issue-noteable';
import { MergeRequestNoteable } from './merge-request-noteable';
import { SnippetNoteable } from './snippet-noteable';

/**
 * All kinds of records with notes, discussions, awards and resource events: how they are found, and their controllers.
 */
export const noteables = [
  answering(IssueNoteable, {
    notes: issueNotes,
    discussions: { ...issueDiscussions, listBeginnings: listIssueDiscussionBeginnings },
    awards: issueAwards,
    noteAwards: issueNoteAwards,
    labelEvents: issueLabelEvents,
    milestoneEvents: issueMilestoneEvents,
    iterationEvents: issueIterationEvents,
    stateEvents: issueStateEvents,
    weightEvents: issueWeightEvents,
  }),
  answering(MergeRequestNoteable, {
    notes: mergeRequestNotes,
    discussions: {
      ...mergeRequestDiscussions,
      resolve: resolveMergeRequestDiscussion,
      listBeginnings: listMergeRequestDiscussionBeginnings,
      listOnLines: listLineDiscussions,
    },
    awards: mergeRequestAwards,
    noteAwards: mergeRequestNoteAwards,
    labelEvents: mergeRequestLabelEvents,
    milestoneEvents: mergeRequestMilestoneEvents,
    stateEvents: mergeRequestStateEvents,
  }),
  answering(EpicNoteable, {
    notes: epicNotes,
    discussions: { ...epicDiscussions, listBeginnings: listEpicDiscussionBeginnings },
    awards: epicAwards,
    noteAwards: epicNoteAwards,
    labelEvents: epicLabelEvents,
    stateEvents: epicStateEvents,
  }),
  answering(SnippetNoteable, {
    notes: snippetNotes,
    discussions: { ...snippetDiscussions, listBeginnings: listSnippetDiscussionBeginnings },
    awards: snippetAwards,
    noteAwards: snippetNoteAwards,
  }),
  answering(CommitNoteable, { discussions: commitDiscussions }),
];
