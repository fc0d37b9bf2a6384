import type { ModelDefinition } from '@nestjs/mongoose';
import { FindSnippet } from './find-snippet';
import { SnippetsFollowDeletions } from './follow-deletions';
import { ProjectSnippetOperations } from './project-snippet.operations';
import { SendSnippetFile } from './send-snippet-file';
import { SnippetOperations } from './snippet.operations';
import { Snippets } from './snippet.repository';
import { snippetSchema } from './snippet.schema';
import { SnippetAwards } from './snippet-awards';
import { SnippetDiscussions } from './snippet-discussions';
import { SnippetNoteable } from './snippet-noteable';
import { SnippetNotes } from './snippet-notes';
import { SnippetViews } from './snippet-views';
import { WriteSnippet } from './write-snippet';

export const snippetCollections: ModelDefinition[] = [{ name: 'Snippet', schema: snippetSchema }];
export const snippetProviders = [
  FindSnippet,
  SendSnippetFile,
  SnippetNoteable,
  Snippets,
  SnippetsFollowDeletions,
  SnippetViews,
  WriteSnippet,
];
export const snippetControllers = [
  SnippetOperations,
  ProjectSnippetOperations,
  SnippetNotes,
  SnippetAwards,
  SnippetDiscussions,
];
