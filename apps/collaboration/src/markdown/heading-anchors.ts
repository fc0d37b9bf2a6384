import type { MarkdownIt, Token } from 'markdown-it';

/**
 * Makes each heading a link to itself: `#usage` leads to the heading "Usage". The anchor is a name, not an id, so that
 * it takes no id of the page: browsers look for an id first.
 */
export function headingAnchors(markdown: MarkdownIt): void {
  markdown.core.ruler.push('heading-anchors', ({ tokens }) => {
    const namesIn = uniqueNames();
    for (const [at, token] of tokens.entries())
      if (token.type === 'heading_open') token.meta = { anchor: namesIn(textOf(tokens[at + 1])) };
  });
  const { rules } = markdown.renderer;
  rules.heading_open = (tokens, at, options, _env, self) => {
    const anchor = anchorOf(tokens[at]);
    const link = isLinked(tokens[at + 1]) ? '></a>' : ` href="#${encodeURIComponent(anchor)}">`;
    return `${self.renderToken(tokens, at, options)}${anchor && `<a name="${anchor}"${link}`}`;
  };
  rules.heading_close = (tokens, at, options, _env, self) => {
    const isOpen = anchorOf(tokens[at - 2]) !== '' && !isLinked(tokens[at - 1]);
    return `${isOpen ? '</a>' : ''}${self.renderToken(tokens, at, options)}`;
  };
}

const anchorOf = (opening: Token | undefined): string => String(opening?.meta?.anchor ?? '');

const links = new Set(['link_open', 'reference', 'named_anchor']);

/** Whether the text of a heading contains a link or an anchor: links cannot be in links. */
const isLinked = (text: Token | undefined): boolean => text?.children?.some(({ type }) => links.has(type)) ?? false;

const textOf = (heading: Token | undefined): string =>
  (heading?.children ?? [])
    .map(({ type, content }) => (type === 'softbreak' ? ' ' : ['text', 'code_inline'].includes(type) ? content : ''))
    .join('');

/** As v4 names headings: `Usage (short)` is `usage-short`, and the next one `usage-short-1`. */
function uniqueNames(): (text: string) => string {
  const used = new Set<string>();
  const counts = new Map<string, number>();
  return (text) => {
    const base = nameOf(text);
    if (base === '') return '';
    let name = base;
    for (let count = counts.get(base) ?? 0; used.has(name); name = `${base}-${count}`) counts.set(base, ++count);
    used.add(name);
    return name;
  };
}

const nameOf = (text: string): string => {
  const name = text
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replace(/[ -]+/g, '-');
  // A number alone would be a reference.
  return /^\d+$/.test(name) ? `anchor-${name}` : name;
};
