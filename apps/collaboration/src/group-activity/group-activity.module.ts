import { Module } from '@nestjs/common';
import { IssueModule } from '../issue/issue.module';
import { MergeRequestModule } from '../merge-request/merge-request.module';
import { ParentModule } from '../parent/parent.module';
import { GroupActivityOperations } from './group-activity.operations';

@Module({
  imports: [IssueModule, MergeRequestModule, ParentModule],
  controllers: [GroupActivityOperations],
})
export class GroupActivityModule {}
