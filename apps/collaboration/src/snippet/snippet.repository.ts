import type { Caller } from '@moothall/contracts';
import { type Page, type ProjectRef, snippetDeleted, snippetErrors } from '@moothall/contracts';
import { findPage, newEvent, Outbox } from '@moothall/database';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, QueryFilter } from 'mongoose';
import type { SnippetDocument } from './snippet.schema';
import { isSnippetVisible, visibleInProject } from './visible-snippets';

interface Paging {
  page: number;
  per_page: number;
}

const newestFirst = { _id: -1 } as const;
const withContent = '+files.content';

/** Every query on snippets. */
@Injectable()
export class Snippets {
  constructor(
    @InjectModel('Snippet') readonly model: Model<SnippetDocument>,
    private readonly outbox: Outbox,
  ) {}

  listOwn(caller: Caller, paging: Paging): Promise<Page<SnippetDocument>> {
    return this.findPage({ authorId: caller.id }, paging);
  }

  listPublic(paging: Paging): Promise<Page<SnippetDocument>> {
    return this.findPage({ projectId: null, visibility: 'public' }, paging);
  }

  listOfProject(project: ProjectRef, caller: Caller | undefined, paging: Paging): Promise<Page<SnippetDocument>> {
    return this.findPage({ projectId: project.id, ...visibleInProject(project, caller) }, paging);
  }

  findPage(filter: QueryFilter<SnippetDocument>, paging: Paging): Promise<Page<SnippetDocument>> {
    return findPage(this.model, filter, newestFirst, paging);
  }

  /** Without the content of its files. @throws snippet.not_found */
  async getById(id: number): Promise<SnippetDocument> {
    const snippet = await this.model.findById(id).lean<SnippetDocument>();
    if (!snippet) throw snippetErrors.notFound();
    return snippet;
  }

  /** A snippet of a project that the caller may see. @throws snippet.not_found */
  async get(project: ProjectRef, id: number, caller: Caller | undefined): Promise<SnippetDocument> {
    const snippet = await this.getById(id);
    const isHere = snippet.projectId === project.id;
    if (!isHere || !isSnippetVisible(snippet, caller, project)) throw snippetErrors.notFound();
    return snippet;
  }

  getWithContent(id: number): Promise<SnippetDocument | null> {
    return this.model.findById(id).select(withContent).lean<SnippetDocument>();
  }

  insert(snippet: SnippetDocument): Promise<SnippetDocument> {
    return this.outbox.insert(this.model, snippet);
  }

  /** @returns null if the revision changed meanwhile */
  replace({ _id, revision }: SnippetDocument, set: Partial<SnippetDocument>): Promise<SnippetDocument | null> {
    return this.outbox.update(this.model, { _id, revision }, { $set: set, $inc: { revision: 1 } });
  }

  /** The event removes its related records. */
  async remove({ _id }: SnippetDocument): Promise<void> {
    await this.outbox.remove(this.model, _id, newEvent(snippetDeleted, { snippet_id: _id }));
  }
}
