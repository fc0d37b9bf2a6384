import { wikiErrors } from '@moothall/contracts';

export const WIKI_FORMATS = ['markdown', 'rdoc', 'asciidoc', 'org'] as const;
export type WikiFormat = (typeof WIKI_FORMATS)[number];

const EXTENSION: Record<WikiFormat, string> = { markdown: 'md', rdoc: 'rdoc', asciidoc: 'asciidoc', org: 'org' };

/** Also extensions that users choose for files that they push. */
const FORMAT_OF: Record<string, WikiFormat> = {
  md: 'markdown',
  markdown: 'markdown',
  mdown: 'markdown',
  mkd: 'markdown',
  mkdn: 'markdown',
  rdoc: 'rdoc',
  asciidoc: 'asciidoc',
  adoc: 'asciidoc',
  org: 'org',
};

const MAX_PART_BYTES = 245;

/** Folder of attachments, each in a folder of its own. */
export const UPLOADS = 'uploads';
const ATTACHMENT = /^uploads\/[0-9a-f]{32}\//;

export const isAttachment = (path: string): boolean => ATTACHMENT.test(path);

/**
 * The slug of a title: its path in the wiki, spaces as dashes, without extension.
 * @throws wiki.title_blank, wiki.title_invalid, wiki.title_too_long
 */
export function slugOf(title: string): string {
  const parts = title
    .split('/')
    .map((part) => part.trim().replace(/ /g, '-'))
    .filter((part) => part !== '');
  if (parts.length === 0 || parts.every((part) => /^\.+$/.test(part))) throw wikiErrors.titleBlank();
  if (parts.some((part) => /^\.+$|^\.git$|\p{Cc}|\\/iu.test(part))) throw wikiErrors.titleInvalid();
  if (parts.some((part) => Buffer.byteLength(part) > MAX_PART_BYTES)) throw wikiErrors.titleTooLong();
  return parts.join('/');
}

/** The title of a slug: its last part, dashes as spaces. */
export function titleOf(slug: string): string {
  return slug.slice(slug.lastIndexOf('/') + 1).replaceAll('-', ' ');
}

/** The file of a page. */
export function fileOf(slug: string, format: WikiFormat): string {
  return `${slug}.${EXTENSION[format]}`;
}

/** Which page a file of the wiki is, or null for other files. */
export function pageOf(path: string): { slug: string; format: WikiFormat } | null {
  const [, slug, extension] = /^(.*[^/])\.([^./]+)$/s.exec(path) ?? [];
  if (!slug || !extension || isAttachment(path)) return null;
  const key = extension.toLowerCase();
  const format = Object.hasOwn(FORMAT_OF, key) ? FORMAT_OF[key] : undefined;
  return format ? { slug, format } : null;
}

/**
 * The slug of a page after a change of its title. A title without a slash stays in the page's folder; one that starts
 * with a slash is relative to the root.
 */
export function renamedSlug(current: string, title: string): string {
  const folder = current.slice(0, current.lastIndexOf('/') + 1);
  return slugOf(title.includes('/') ? title : folder + title);
}
