import { Module } from '@nestjs/common';
import { ActivityModule } from '../activity/activity.module';
import { Awards } from '../award/award.repository';
import { AwardActions } from '../award/award-actions';
import { CommitModule } from '../commit/commit.module';
import { Discussions } from '../discussion/discussion.repository';
import { DiscussionActions } from '../discussion/discussion-actions';
import { EpicModule } from '../epic/epic.module';
import { IssuableModule } from '../issuable/issuable.module';
import { IssueModule } from '../issue/issue.module';
import { IterationModule } from '../iteration/iteration.module';
import { JournalModule } from '../journal/journal.module';
import { LabelModule } from '../label/label.module';
import { VisibleMentions } from '../mention/visible-mentions';
import { WriteCrossReferences } from '../mention/write-cross-references';
import { MergeRequestModule } from '../merge-request/merge-request.module';
import { MilestoneModule } from '../milestone/milestone.module';
import { DraftNotes } from '../note/draft-note.repository';
import { Notes } from '../note/note.repository';
import { NoteActions } from '../note/note-actions';
import { ParentModule } from '../parent/parent.module';
import { ApplyQuickActions } from '../quick-action/apply-quick-actions';
import { NamedRecords } from '../quick-action/named-records';
import { IterationEventViews } from '../resource-event/iteration-event-views';
import { LabelEventViews } from '../resource-event/label-event-views';
import { MilestoneEventViews } from '../resource-event/milestone-event-views';
import { StateEventViews } from '../resource-event/state-event-views';
import { WeightEventViews } from '../resource-event/weight-event-views';
import { SnippetModule } from '../snippet/snippet.module';
import { SuggestionRecords } from '../suggestion/suggestion.repository';
import { Suggestions } from '../suggestion/suggestions';
import { UserModule } from '../user/user.module';
import { ApplySuggestions } from './apply-suggestions';
import { AwardableResolver } from './awardable-resolver';
import { CommitComments } from './commit-comments';
import { CommitNoteable } from './commit-noteable';
import { DraftNoteOperations } from './draft-note.operations';
import { EpicNoteable } from './epic-noteable';
import { IssueNoteable } from './issue-noteable';
import { MergeRequestNoteable } from './merge-request-noteable';
import { noteables } from './noteables';
import { SearchNotes } from './search-notes';
import { ShowRecords } from './show-records';
import { SnippetNoteable } from './snippet-noteable';
import { VisibleNotes } from './visible-notes';

/** Notes, discussions, awards, mentions and resource events of all kinds of records. */
@Module({
  imports: [
    ActivityModule,
    CommitModule,
    EpicModule,
    IssuableModule,
    IssueModule,
    IterationModule,
    JournalModule,
    LabelModule,
    MergeRequestModule,
    MilestoneModule,
    ParentModule,
    SnippetModule,
    UserModule,
  ],
  providers: [
    AwardActions,
    Awards,
    AwardableResolver,
    CommitNoteable,
    DiscussionActions,
    Discussions,
    DraftNotes,
    EpicNoteable,
    ApplyQuickActions,
    IssueNoteable,
    IterationEventViews,
    LabelEventViews,
    MilestoneEventViews,
    NamedRecords,
    MergeRequestNoteable,
    NoteActions,
    Notes,
    SnippetNoteable,
    SuggestionRecords,
    Suggestions,
    StateEventViews,
    VisibleMentions,
    VisibleNotes,
    WeightEventViews,
    WriteCrossReferences,
  ],
  controllers: [ApplySuggestions, CommitComments, DraftNoteOperations, SearchNotes, ShowRecords, ...noteables.flat()],
  exports: [Notes],
})
export class NoteableModule {}
