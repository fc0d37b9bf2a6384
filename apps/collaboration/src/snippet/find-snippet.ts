import {
  type Caller,
  callerInput,
  forbidden,
  isFeatureOpen,
  isReadable,
  type ProjectRef,
  projectRefs,
  snippetErrors,
} from '@moothall/contracts';
import { OperationClient } from '@moothall/messaging';
import { Injectable } from '@nestjs/common';
import { requireWritable } from '../parent/require-writable';
import { Snippets } from './snippet.repository';
import type { SnippetDocument } from './snippet.schema';
import { isSnippetVisible } from './visible-snippets';

/** Finds snippets by id, in projects and personal ones. */
@Injectable()
export class FindSnippet {
  constructor(
    private readonly snippets: Snippets,
    private readonly client: OperationClient,
  ) {}

  /** @throws snippet.not_found, also if the caller may not see it */
  async findReadable(id: number, caller: Caller | undefined): Promise<SnippetDocument> {
    return (await this.find(id, caller)).snippet;
  }

  /** @throws snippet.not_found; common.forbidden unless author or administrator; project.archived */
  async findEditable(id: number, caller: Caller): Promise<SnippetDocument> {
    const { snippet, project } = await this.find(id, caller);
    if (snippet.authorId !== caller.id && !caller.isAdmin) throw forbidden();
    if (project) requireWritable(project);
    return snippet;
  }

  private async find(id: number, caller: Caller | undefined) {
    const snippet = await this.snippets.getById(id);
    const project = snippet.projectId === null ? undefined : await this.findProject(snippet.projectId, caller);
    if (!isSnippetVisible(snippet, caller, project)) throw snippetErrors.notFound();
    return { snippet, project };
  }

  /** The project as the caller sees it. @throws snippet.not_found if the caller may not see its snippets */
  private async findProject(id: number, caller: Caller | undefined): Promise<ProjectRef> {
    const [project] = await this.client.call(projectRefs, { ids: [id], ...callerInput(caller) });
    const isOpen = project && isReadable(project, caller) && isFeatureOpen(project, 'snippets');
    if (!isOpen) throw snippetErrors.notFound();
    return project;
  }
}
