import { only, type Page, type ProjectRef, type Snippet, type UserSummary } from '@moothall/contracts';
import { UserDirectory } from '@moothall/users';
import { Injectable } from '@nestjs/common';
import { ParentDirectory } from '../parent/parent-directory';
import { Urls } from '../parent/urls';
import { summaryFrom } from '../user/summaries';
import type { SnippetDocument } from './snippet.schema';

/** The only ref: snippets have no history. */
export const snippetRef = 'main';

/** Shows snippets. It reads authors and projects in one batch each. */
@Injectable()
export class SnippetViews {
  constructor(
    private readonly users: UserDirectory,
    private readonly parents: ParentDirectory,
    private readonly urls: Urls,
  ) {}

  async page({ items, total }: Page<SnippetDocument>): Promise<Page<Snippet>> {
    return { items: await this.view(items), total };
  }

  async viewOne(snippet: SnippetDocument): Promise<Snippet> {
    return only(await this.view([snippet]));
  }

  private async view(snippets: SnippetDocument[]): Promise<Snippet[]> {
    const projectIds = snippets.flatMap(({ projectId }) => projectId ?? []);
    const [users, projects] = await Promise.all([
      this.users.summaries(snippets.map(({ authorId }) => authorId)),
      this.parents.findProjects(projectIds),
    ]);
    return snippets.map((snippet) => viewSnippet(snippet, users, this.urlOf(snippet, projects)));
  }

  private urlOf({ _id, projectId }: SnippetDocument, projects: ReadonlyMap<number, ProjectRef>): string {
    const project = projectId === null ? undefined : projects.get(projectId);
    return project ? `${this.urls.project(project)}/-/snippets/${_id}` : this.urls.page(`/-/snippets/${_id}`);
  }
}

/** See docs/api/snippets.md#2. */
function viewSnippet(snippet: SnippetDocument, users: ReadonlyMap<number, UserSummary>, url: string): Snippet {
  return {
    id: snippet._id,
    title: snippet.title,
    file_name: snippet.files[0]?.path ?? null,
    description: snippet.description,
    visibility: snippet.visibility,
    author: summaryFrom(users, snippet.authorId),
    expires_at: null,
    updated_at: snippet.updatedAt.toISOString(),
    created_at: snippet.createdAt.toISOString(),
    project_id: snippet.projectId,
    web_url: url,
    raw_url: `${url}/raw`,
    files: snippet.files.map(({ path }) => ({ path, raw_url: `${url}/raw/${snippetRef}/${encoded(path)}` })),
  };
}

const encoded = (path: string): string => path.split('/').map(encodeURIComponent).join('/');
