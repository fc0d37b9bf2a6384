import { listSomeWikiPages, only, type ProjectRef, updateWikiPage } from '@moothall/contracts';
import { Named } from '@moothall/pages';
import type { ProjectPage } from '../../page/page';
import { below } from '../../parts/code-address';
import { inProject } from '../../parts/in-project';
import { shortened } from '../../parts/shortened';
import { longestText, plainText, readTexts, Text } from '../../parts/texts';
import { folderOf, newWikiPath, wikiEditPath } from '../../parts/wiki-path';
import type { Visit } from '../../visit/visits';
import { findWikiPage, type WikiPage } from './find-wiki-page';
import { WikiPageList } from './wiki-page-list';
import { wikiPagesPage } from './wiki-pages';

const mostLinks = 50;

/** A page of a wiki, and links to others; without a slug the home page, or a list if there is none. */
export const wikiPage: ProjectPage = {
  at: ['/wikis', '/wikis/*slug'],
  async show(visit, project, address) {
    const { slug } = address.params;
    const page = await findWikiPage(visit, project, slug ?? 'home', longestText);
    if (!page) return slug === undefined ? wikiPagesPage.show(visit, project, address) : undefined;
    const asked = { id: String(project.id), with_slug: page.slug, per_page: mostLinks };
    const [text, { items }, writes] = await Promise.all([
      readContent(visit, project, page),
      visit.ask(listSomeWikiPages, asked),
      visit.may(updateWikiPage, project),
    ]);
    return inProject(visit, project, {
      title: shortened(page.title),
      heading: <Named>{shortened(page.title)}</Named>,
      body: (
        <>
          {writes && (
            <p class="parts">
              <a href={wikiEditPath(project, page.slug)}>Edit</a>
              <a href={newWikiPath(project, folderOf(page.slug))}>New page</a>
            </p>
          )}
          {text ? (
            <div class="prose">
              <Text {...text} />
            </div>
          ) : (
            <p class="dim">The page is too large to be shown.</p>
          )}
          <nav aria-labelledby="pages">
            <h2 id="pages">Pages</h2>
            <WikiPageList project={project} pages={items} current={page.slug} />
            <p>
              <a href={below(project, 'wikis/pages')}>All pages</a>
            </p>
          </nav>
        </>
      ),
    });
  },
};

/** Markdown is rendered; other formats are shown as plain text. */
async function readContent(visit: Visit, project: ProjectRef, { slug, format, content }: WikiPage) {
  if (content === undefined) return undefined;
  if (format !== 'markdown') return plainText(content);
  const wiki = below(project, 'wikis');
  const folder = folderOf(slug).slice(0, -1);
  return only(await readTexts(visit, project, [content], { folder, links: wiki, images: wiki, wiki: true }));
}
