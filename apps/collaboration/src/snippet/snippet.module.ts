import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { ActivityModule } from '../activity/activity.module';
import { ParentModule } from '../parent/parent.module';
import { FindSnippet } from './find-snippet';
import { SnippetsFollowDeletions } from './follow-deletions';
import { ProjectSnippetOperations } from './project-snippet.operations';
import { SearchSnippets } from './search-snippets';
import { SendSnippetFile } from './send-snippet-file';
import { SnippetOperations } from './snippet.operations';
import { Snippets } from './snippet.repository';
import { snippetSchema } from './snippet.schema';
import { SnippetViews } from './snippet-views';
import { WriteSnippet } from './write-snippet';

const collections = MongooseModule.forFeature([{ name: 'Snippet', schema: snippetSchema }]);

@Module({
  imports: [collections, ActivityModule, ParentModule],
  providers: [FindSnippet, SendSnippetFile, Snippets, SnippetsFollowDeletions, SnippetViews, WriteSnippet],
  controllers: [SearchSnippets, ProjectSnippetOperations, SnippetOperations],
  exports: [Snippets, SnippetsFollowDeletions],
})
export class SnippetModule {}
