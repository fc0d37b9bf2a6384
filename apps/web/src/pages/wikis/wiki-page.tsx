import { getWikiPage, isError, listSomeWikiPages, type OutputOf, only, type Project } from '@moothall/contracts';
import { Named } from '@moothall/pages';
import type { ProjectPage } from '../../page/page';
import { below, nameOf } from '../../parts/code-address';
import { inProject } from '../../parts/in-project';
import { shortened } from '../../parts/shortened';
import { plainText, readTexts, Text } from '../../parts/texts';
import type { Visit } from '../../visit/visits';
import { WikiPageList } from './wiki-page-list';
import { wikiPagesPage } from './wiki-pages';

type WikiPage = OutputOf<typeof getWikiPage>;

const mostLinks = 50;

/** A page of a wiki, and links to others; without a slug the home page, or a list if there is none. */
export const wikiPage: ProjectPage = {
  at: ['/wikis', '/wikis/*slug'],
  async show(visit, project, address) {
    const { slug } = address.params;
    const page = await findPage(visit, project, slug ?? 'home');
    if (!page) return slug === undefined ? wikiPagesPage.show(visit, project, address) : undefined;
    const asked = { id: String(project.id), with_slug: page.slug, per_page: mostLinks };
    const [text, { items }] = await Promise.all([
      readContent(visit, project, page),
      visit.ask(listSomeWikiPages, asked),
    ]);
    return inProject(visit, project, {
      title: shortened(page.title),
      heading: <Named>{shortened(page.title)}</Named>,
      body: (
        <>
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

/** A page by its slug, or by the name of its file, as in `[text](page.md)`. */
async function findPage(visit: Visit, project: Project, slug: string): Promise<WikiPage | undefined> {
  const page = await getPage(visit, project, slug);
  return page || !/.\.md$/i.test(slug) ? page : getPage(visit, project, slug.slice(0, -'.md'.length));
}

/** Of a page that is too large for an answer, nothing but its name. */
async function getPage(visit: Visit, project: Project, slug: string): Promise<WikiPage | undefined> {
  try {
    return await visit.askIfSeen(getWikiPage, { id: String(project.id), slug });
  } catch (error) {
    if (!isError(error, { code: 'git.object_too_large' })) throw error;
    return { slug, title: nameOf(slug), format: 'markdown', encoding: 'UTF-8' };
  }
}

/** Markdown is rendered; other formats are shown as plain text. */
async function readContent(visit: Visit, project: Project, { slug, format, content }: WikiPage) {
  if (content === undefined) return undefined;
  if (format !== 'markdown') return plainText(content);
  const wiki = below(project, 'wikis');
  const folder = slug.slice(0, Math.max(0, slug.lastIndexOf('/')));
  return only(await readTexts(visit, project, [content], { folder, links: wiki, images: wiki, wiki: true }));
}
