import { Module } from '@nestjs/common';
import { JournalModule } from '../journal/journal.module';
import { LabelModule } from '../label/label.module';
import { MilestoneModule } from '../milestone/milestone.module';
import { Assignees } from './assignees';
import { ChangeIssuable } from './change-issuable';
import { IssuableFilter } from './issuable-filter';

/** Code that issues, merge requests and epics share. */
@Module({
  imports: [JournalModule, LabelModule, MilestoneModule],
  providers: [Assignees, ChangeIssuable, IssuableFilter],
  exports: [Assignees, ChangeIssuable, IssuableFilter],
})
export class IssuableModule {}
