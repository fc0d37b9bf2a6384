import { escapeHtml } from '@moothall/contracts';

/** Parts of a message, some with a link; the format depends on the receiver. */
export type Part = string | { text: string; url: string };

/** Formats parts for a receiver. */
export type Writing = (parts: readonly Part[]) => string;

const writing =
  (text: (words: string) => string, link: (words: string, url: string) => string): Writing =>
  (parts) =>
    parts.map((part) => (typeof part === 'string' ? text(part) : link(part.text, part.url))).join('');

// Slack gives a meaning only to these three characters; a blank does not end a link.
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
