import { createProjectSnippet, listProjectSnippets, listSnippets, type Snippet } from '@moothall/contracts';
import { Named } from '@moothall/pages';
import type { Address, ProjectPage, SitePage } from '../../page/page';
import { pathOf } from '../../parts/address';
import { below } from '../../parts/code-address';
import { inProject } from '../../parts/in-project';
import { Paging, pageOf, perPage } from '../../parts/paging';
import { count } from '../../parts/project-list';
import { longestText } from '../../parts/texts';
import { Day } from '../../parts/time';
import { mayCreate } from './may-write-snippet';

const partAt = (address: Address) => ({ page: pageOf(address), per_page: perPage });

/** The snippets of a project. */
export const projectSnippetsPage: ProjectPage = {
  at: '/snippets',
  async show(visit, project, address) {
    const [{ items }, creates] = await Promise.all([
      visit.ask(listProjectSnippets, { id: String(project.id), ...partAt(address) }, longestText),
      visit.may(createProjectSnippet, project),
    ]);
    const newPath = creates ? below(project, 'snippets/new') : undefined;
    return inProject(visit, project, {
      title: 'Snippets',
      body: <SnippetList address={address} snippets={items} newPath={newPath} />,
    });
  },
};

/** The snippets of the visitor, personal ones and those in projects. */
export const ownSnippetsPage: SitePage = {
  at: '/-/snippets',
  async show(visit, address) {
    const { items } = await visit.ask(listSnippets, partAt(address), longestText);
    const newPath = mayCreate(visit) ? '/-/snippets/new' : undefined;
    return {
      title: 'Your snippets',
      width: 'wide',
      body: <SnippetList address={address} snippets={items} newPath={newPath} />,
    };
  },
};

interface ListProps {
  address: Address;
  snippets: readonly Snippet[];
  /** Of the form for a new one; undefined if the visitor may not create any. */
  newPath: string | undefined;
}

const SnippetList = ({ address, snippets, newPath }: ListProps) => (
  <>
    {newPath && (
      <p>
        <a href={newPath}>New snippet</a>
      </p>
    )}
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
