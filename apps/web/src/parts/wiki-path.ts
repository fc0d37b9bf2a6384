import type { ProjectRef } from '@moothall/contracts';
import { below } from './code-address';

/** Slugs whose addresses are those of other pages of a wiki. */
const isTaken = (slug: string): boolean => ['new', 'pages'].includes(slug) || /\/(?:edit|diff)$/.test(slug);

/** The path of a page of a wiki, by the name of its file if its slug is taken. */
export const wikiPath = (project: ProjectRef, slug: string): string =>
  below(project, 'wikis', isTaken(slug) ? `${slug}.md` : slug);

/** The path of the form that changes a page. */
export const wikiEditPath = (project: ProjectRef, slug: string): string => `${below(project, 'wikis', slug)}/edit`;

/** The path of the form for a new page. @param title its first value */
export const newWikiPath = (project: ProjectRef, title: string): string =>
  `${below(project, 'wikis/new')}${title && `?title=${encodeURIComponent(title)}`}`;

/** The folder of a page, with a slash at its end; empty for the top folder. */
export const folderOf = (slug: string): string => slug.slice(0, slug.lastIndexOf('/') + 1);
