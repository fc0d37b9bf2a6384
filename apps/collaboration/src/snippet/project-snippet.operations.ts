import {
  Access,
  type Caller,
  type ContextOf,
  createProjectSnippet,
  deleteProjectSnippet,
  forbidden,
  getProjectSnippet,
  getProjectSnippetUserAgent,
  getRawProjectSnippet,
  getRawProjectSnippetFile,
  listProjectSnippets,
  type ParsedOf,
  type ProjectRef,
  updateProjectSnippet,
} from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { requireWritable } from '../parent/require-writable';
import { viewUserAgent } from '../user-agent/user-agent.view';
import { SendSnippetFile } from './send-snippet-file';
import { Snippets } from './snippet.repository';
import type { SnippetDocument } from './snippet.schema';
import { SnippetViews } from './snippet-views';
import { WriteSnippet } from './write-snippet';

@Controller()
export class ProjectSnippetOperations {
  constructor(
    private readonly snippets: Snippets,
    private readonly writing: WriteSnippet,
    private readonly sending: SendSnippetFile,
    private readonly views: SnippetViews,
  ) {}

  @Handles(listProjectSnippets)
  async list({ project, caller }: ContextOf<typeof listProjectSnippets>, input: ParsedOf<typeof listProjectSnippets>) {
    return this.views.page(await this.snippets.listOfProject(project, caller, input));
  }

  @Handles(getProjectSnippet)
  async get({ project, caller }: ContextOf<typeof getProjectSnippet>, input: ParsedOf<typeof getProjectSnippet>) {
    return this.views.viewOne(await this.snippets.get(project, input.snippet_id, caller));
  }

  @Handles(getRawProjectSnippet)
  async raw({ project, caller }: ContextOf<typeof getRawProjectSnippet>, input: ParsedOf<typeof getRawProjectSnippet>) {
    return this.sending.sendFirst(await this.snippets.get(project, input.snippet_id, caller));
  }

  @Handles(getRawProjectSnippetFile)
  async rawFile(
    { project, caller }: ContextOf<typeof getRawProjectSnippetFile>,
    input: ParsedOf<typeof getRawProjectSnippetFile>,
  ) {
    const snippet = await this.snippets.get(project, input.snippet_id, caller);
    return this.sending.sendOne(snippet, input.ref, input.file_path);
  }

  @Handles(createProjectSnippet)
  async create(
    { project, caller, client }: ContextOf<typeof createProjectSnippet>,
    input: ParsedOf<typeof createProjectSnippet>,
  ) {
    requireWritable(project);
    return this.views.viewOne(await this.writing.create(caller, project.id, input, client));
  }

  @Handles(updateProjectSnippet)
  async update(
    { project, caller }: ContextOf<typeof updateProjectSnippet>,
    input: ParsedOf<typeof updateProjectSnippet>,
  ) {
    const snippet = await this.snippets.get(project, input.snippet_id, caller);
    requireEditor(snippet, project, caller);
    return this.views.viewOne(await this.writing.change(snippet._id, input, caller));
  }

  @Handles(deleteProjectSnippet)
  async delete(
    { project, caller }: ContextOf<typeof deleteProjectSnippet>,
    input: ParsedOf<typeof deleteProjectSnippet>,
  ) {
    const snippet = await this.snippets.get(project, input.snippet_id, caller);
    requireEditor(snippet, project, caller);
    await this.writing.remove(snippet);
  }

  @Handles(getProjectSnippetUserAgent)
  async userAgent(
    { project, caller }: ContextOf<typeof getProjectSnippetUserAgent>,
    input: ParsedOf<typeof getProjectSnippetUserAgent>,
  ) {
    if (!caller.isAdmin) throw forbidden();
    return viewUserAgent((await this.snippets.get(project, input.snippet_id, caller)).userAgent);
  }
}

/** @throws common.forbidden unless author or maintainer; project.archived */
function requireEditor({ authorId }: SnippetDocument, project: ProjectRef, caller: Caller): void {
  if (authorId !== caller.id && project.accessLevel < Access.Maintainer) throw forbidden();
  requireWritable(project);
}
