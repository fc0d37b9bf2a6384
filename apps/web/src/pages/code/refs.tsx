import { type Commit, listBranches, listTags, type ProjectRef } from '@moothall/contracts';
import { Named } from '@moothall/pages';
import type { z } from 'zod';
import type { ProjectPage } from '../../page/page';
import { below } from '../../parts/code-address';
import { CommitTitle } from '../../parts/commit-title';
import { inProject } from '../../parts/in-project';
import { Paging, pageOf, perPage } from '../../parts/paging';
import { SearchForm, searchOf } from '../../parts/search-form';
import { Day } from '../../parts/time';
import type { Visit } from '../../visit/visits';

/** A branch or a tag. */
interface Ref {
  name: string;
  commit: z.infer<typeof Commit>;
  /** Short facts about it. */
  marks: readonly string[];
  hasRelease?: boolean;
}

interface ListAsked {
  id: string;
  page: number;
  per_page: number;
  search?: string;
}

/** Where the names lead: branches to their files, tags to their page. */
const pagesOf = { branches: 'tree', tags: 'tags' };

type Kind = keyof typeof pagesOf;

/** The page with all branches or all tags, and a search in their names. */
const refsPage = (kind: Kind, title: string, list: (visit: Visit, asked: ListAsked) => Promise<Ref[]>) =>
  ({
    at: `/${kind}`,
    async show(visit, project, address) {
      const search = searchOf(address);
      const asked = { id: String(project.id), page: pageOf(address), per_page: perPage };
      const refs = await list(visit, { ...asked, ...(search && { search }) });
      return inProject(visit, project, {
        title,
        body: (
          <>
            <SearchForm label="Search by name" address={address} />
            <RefList
              project={project}
              kind={kind}
              refs={refs}
              none={search ? 'No name matches.' : `There are no ${kind} yet.`}
            />
            <Paging address={address} shown={refs.length} />
          </>
        ),
      });
    },
  }) satisfies ProjectPage;

export const branchesPage = refsPage('branches', 'Branches', async (visit, asked) => {
  const { items } = await visit.ask(listBranches, asked);
  return items.map(({ name, commit, ...branch }) => {
    const marks = (['default', 'protected', 'merged'] as const).filter((mark) => branch[mark]);
    return { name, commit, marks };
  });
});

export const tagsPage = refsPage('tags', 'Tags', async (visit, asked) => {
  const { items } = await visit.ask(listTags, asked);
  return items.map(({ name, commit, release, ...tag }) => {
    const marks = tag.protected ? ['protected'] : [];
    return { name, commit, marks, hasRelease: release !== null };
  });
});

interface ListProps {
  project: ProjectRef;
  kind: Kind;
  refs: readonly Ref[];
  none: string;
}

const RefList = ({ project, kind, refs, none }: ListProps) =>
  refs.length === 0 ? (
    <p class="dim">{none}</p>
  ) : (
    <ul class="list">
      {refs.map(({ name, commit, marks, hasRelease }) => (
        <li key={name}>
          <p>
            <a href={below(project, pagesOf[kind], name)}>
              <Named>{name}</Named>
            </a>
            {marks.map((mark) => (
              <span key={mark} class="tag after">
                {mark}
              </span>
            ))}
            {hasRelease && (
              <a class="tag after" href={below(project, 'releases', name)}>
                release
              </a>
            )}
          </p>
          <p class="dim">
            <a href={below(project, 'commit', commit.id)}>
              <code>{commit.short_id}</code>
            </a>{' '}
            <CommitTitle title={commit.title} />, <Day at={commit.committed_date} />
          </p>
        </li>
      ))}
    </ul>
  );
