import { Module } from '@nestjs/common';
import { IssueModule } from '../../issue/issue.module';
import { LabelModule } from '../../label/label.module';
import { MergeRequestModule } from '../../merge-request/merge-request.module';
import { ParentModule } from '../../parent/parent.module';
import { Markdown } from '../markdown';
import { FindTargets } from './find-targets';
import { RenderMarkdown } from './render-markdown';

/** Renders Markdown to HTML with links for references. */
@Module({
  imports: [IssueModule, LabelModule, MergeRequestModule, ParentModule],
  providers: [FindTargets, Markdown],
  controllers: [RenderMarkdown],
})
export class MarkdownOperationsModule {}
