import { listProjectSnippets, listSnippets, type Snippet } from '@moothall/contracts';
import { Named } from '@moothall/pages';
import type { Address, ProjectPage, SitePage } from '../../page/page';
import { pathOf } from '../../parts/address';
import { inProject } from '../../parts/in-project';
import { Paging, pageOf, perPage } from '../../parts/paging';
import { count } from '../../parts/project-list';
import { Day } from '../../parts/time';

const partAt = (address: Address) => ({ page: pageOf(address), per_page: perPage });

/** The snippets of a project. */
export const projectSnippetsPage: ProjectPage = {
  at: '/snippets',
  async show(visit, project, address) {
    const { items } = await visit.ask(listProjectSnippets, { id: String(project.id), ...partAt(address) });
    return inProject(visit, project, { title: 'Snippets', body: <SnippetList address={address} snippets={items} /> });
  },
};

/** The snippets of the visitor, personal ones and those in projects. */
export const ownSnippetsPage: SitePage = {
  at: '/-/snippets',
  async show(visit, address) {
    const { items } = await visit.ask(listSnippets, partAt(address));
    return { title: 'Your snippets', width: 'wide', body: <SnippetList address={address} snippets={items} /> };
  },
};

const SnippetList = ({ address, snippets }: { address: Address; snippets: readonly Snippet[] }) => (
  <>
    {snippets.length === 0 && <p class="dim">There are no snippets.</p>}
    <ul class="list">
      {snippets.map((snippet) => (
        <li key={snippet.id}>
          <SnippetItem snippet={snippet} />
        </li>
      ))}
    </ul>
    <Paging address={address} shown={snippets.length} />
  </>
);

const SnippetItem = ({ snippet: { title, visibility, author, created_at, files, web_url } }: { snippet: Snippet }) => (
  <>
    <p>
      <a href={pathOf(web_url)}>
        <Named>{title}</Named>
      </a>
      <span class="tag after">{visibility}</span>
    </p>
    <p class="dim">
      {count(files.length, 'file')} by <Named>{author.name}</Named> on <Day at={created_at} />
    </p>
  </>
);
