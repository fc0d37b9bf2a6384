import type { listSomeWikiPages, OutputOf, ProjectRef } from '@moothall/contracts';
import { Named } from '@moothall/pages';
import { shortened } from '../../parts/shortened';
import { folderOf, wikiPath } from '../../parts/wiki-path';

type WikiPageSummary = OutputOf<typeof listSomeWikiPages>['items'][number];

/** Servers accept no address that is much longer. */
const mostOfSlug = 2000;

interface Props {
  project: ProjectRef;
  pages: readonly WikiPageSummary[];
  /** The slug of the page with the list. */
  current?: string;
}

/** Links to pages of a wiki. */
export const WikiPageList = ({ project, pages, current }: Props) => (
  <ul class="list files">
    {pages.map((page) => (
      <li key={page.slug}>
        <WikiPageLink project={project} page={page} isCurrent={page.slug === current} />
      </li>
    ))}
  </ul>
);

interface LinkProps {
  project: ProjectRef;
  page: WikiPageSummary;
  isCurrent: boolean;
}

const WikiPageLink = ({ project, page: { slug, title }, isCurrent }: LinkProps) => {
  const folder = folderOf(slug).slice(0, -1);
  const name = <Named>{shortened(title)}</Named>;
  return (
    <>
      {slug.length > mostOfSlug ? (
        name
      ) : (
        <a href={wikiPath(project, slug)} aria-current={isCurrent ? 'page' : undefined}>
          {name}
        </a>
      )}
      {folder && (
        <span class="dim">
          {' in '}
          <Named>{shortened(folder)}</Named>
        </span>
      )}
    </>
  );
};
