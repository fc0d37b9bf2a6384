import { Module } from '@nestjs/common';
import { BoardOperationsModule } from './board/operations/board-operations.module';
import { EpicModule } from './epic/epic.module';
import { GroupActivityModule } from './group-activity/group-activity.module';
import { GroupExportModule } from './group-export/group-export.module';
import { IssueModule } from './issue/issue.module';
import { IterationModule } from './iteration/iteration.module';
import { LabelModule } from './label/label.module';
import { MarkdownOperationsModule } from './markdown/operations/markdown-operations.module';
import { MergeRequestModule } from './merge-request/merge-request.module';
import { MilestoneModule } from './milestone/milestone.module';
import { NoteableModule } from './noteable/noteable.module';
import { ProjectExportModule } from './project-export/project-export.module';
import { RecordCountModule } from './record-count/record-count.module';
import { RemovalModule } from './removal/removal.module';
import { SnippetModule } from './snippet/snippet.module';
import { TransferModule } from './transfer/transfer.module';

/** Each module declares what it needs of others; docs/architecture-folders.md draws them. */
@Module({
  imports: [
    BoardOperationsModule,
    EpicModule,
    GroupActivityModule,
    GroupExportModule,
    IssueModule,
    IterationModule,
    LabelModule,
    MarkdownOperationsModule,
    MergeRequestModule,
    MilestoneModule,
    NoteableModule,
    ProjectExportModule,
    RecordCountModule,
    RemovalModule,
    SnippetModule,
    TransferModule,
  ],
})
export class CollaborationModule {}
