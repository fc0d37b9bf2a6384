import { escapeHtml } from '@moothall/contracts';

/** Words of a message, some of which lead somewhere; how is a matter of where they are read. */
export type Part = string | { text: string; url: string };

/** How parts are written somewhere. */
export type Writing = (parts: readonly Part[]) => string;

const writing =
  (text: (words: string) => string, link: (words: string, url: string) => string): Writing =>
  (parts) =>
    parts.map((part) => (typeof part === 'string' ? text(part) : link(part.text, part.url))).join('');

// Only these three mean anything there; a blank in a link ends it nowhere.
const escapeSlack = (words: string): string => words.replace(/[&<>]/g, escapeHtml);
const escapeMarkdown = (words: string): string => words.replace(/[\\`*_[\]<>~|]/g, '\\$&');
/** Encodes characters that would end the link, which names of branches may contain. */
const bareUrl = (url: string): string =>
  url.replace(/[\s<>|()\\"']/g, (letter) =>
    encodeURIComponent(letter).replace(/[()']/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`),
  );

export const slackText = writing(
  escapeSlack,
  (words, url) => `<${bareUrl(url)}|${escapeSlack(words).replaceAll('|', '¦')}>`,
);
export const markdownText = writing(escapeMarkdown, (words, url) => `[${escapeMarkdown(words)}](${bareUrl(url)})`);
export const htmlText = writing(
  escapeHtml,
  (words, url) => `<a href="${escapeHtml(bareUrl(url))}">${escapeHtml(words)}</a>`,
);
export const plainText = writing(
  (words) => words,
  (words) => words,
);
