import { getWikiPage, isError, type OutputOf, type ProjectRef } from '@moothall/contracts';
import { nameOf } from '../../parts/code-address';
import type { Visit } from '../../visit/visits';

export type WikiPage = OutputOf<typeof getWikiPage>;

/** A page by its slug, or by the name of its file, as in `[text](page.md)`. @param longestText characters of it */
export async function findWikiPage(
  visit: Visit,
  project: ProjectRef,
  slug: string,
  longestText: number,
): Promise<WikiPage | undefined> {
  const page = await readWikiPage(visit, project, slug, longestText);
  return page || !/.\.md$/i.test(slug) ? page : readWikiPage(visit, project, slug.slice(0, -'.md'.length), longestText);
}

/** Of a page that is too large for an answer, nothing but its name. */
export async function readWikiPage(
  visit: Visit,
  project: ProjectRef,
  slug: string,
  longestText?: number,
): Promise<WikiPage | undefined> {
  try {
    return await visit.askIfSeen(getWikiPage, { id: String(project.id), slug }, longestText);
  } catch (error) {
    if (!isError(error, { code: 'git.object_too_large' })) throw error;
    return { slug, title: nameOf(slug), format: 'markdown', encoding: 'UTF-8' };
  }
}
