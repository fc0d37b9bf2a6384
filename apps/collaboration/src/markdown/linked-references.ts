import Parser, { type MarkdownIt } from 'markdown-it';
import { keyOf, type Reference, referencesIn } from './references-in';

/** The target of a reference, as the reader may see it. */
export interface Target {
  href: string;
  text: string;
  title: string;
}

/** Limit of different references in one text; further ones stay text. */
const mostReferences = 50;

/**
 * Separates references from the rest of the HTML: `html NUL index NUL text NUL html`. No text contains it, since the
 * parser replaces it (CommonMark 2.3).
 */
const separator = '\0';

const { escapeHtml } = new Parser().utils;

/**
 * Marks references for `linkReferences`, except in code, links and HTML.
 * @param found gets them, by key, in the order of their indexes
 */
export function markReferences(markdown: MarkdownIt, found: Map<string, Reference>): void {
  markdown.core.ruler.push('references', ({ tokens, Token }) => {
    const indexes = new Map<string, number>();
    for (const block of tokens) {
      let depth = 0;
      block.children =
        block.children?.flatMap((token) => {
          if (token.type === 'link_open') depth += 1;
          if (token.type === 'link_close') depth -= 1;
          return token.type === 'text' && depth === 0 ? pieces(token.content) : [token];
        }) ?? null;
    }
    function pieces(content: string) {
      return referencesIn(content).map(({ text, reference }) => {
        const index = reference && indexOf(reference);
        const token = new Token(index === undefined ? 'text' : 'reference', '', 0);
        token.content = text;
        token.meta = { index };
        return token;
      });
    }
    function indexOf(reference: Reference): number | undefined {
      const key = keyOf(reference);
      const known = indexes.get(key);
      if (known !== undefined || indexes.size === mostReferences) return known;
      indexes.set(key, indexes.size);
      found.set(key, reference);
      return indexes.size - 1;
    }
  });
  markdown.renderer.rules.reference = (tokens, at) => {
    const { meta, content } = tokens[at] ?? {};
    return ['', meta?.index, escapeHtml(content ?? ''), ''].join(separator);
  };
}

/**
 * Replaces marked references with links; those without a target become text.
 * @param references by their indexes
 * @param most characters of the result
 * @returns null if it would be longer
 */
export function linkReferences(
  html: string,
  references: readonly Reference[],
  targets: ReadonlyMap<string, Target>,
  most: number,
): string | null {
  const links = references.map((reference) => {
    const target = targets.get(keyOf(reference));
    return target && linkTo(reference, target);
  });
  const parts = html.split(separator);
  let linked = parts[0] ?? '';
  for (let at = 1; at < parts.length && linked.length <= most; at += 3)
    linked += (links[Number(parts[at])] ?? parts[at + 1] ?? '') + (parts[at + 2] ?? '');
  return linked.length <= most ? linked : null;
}

const linkTo = ({ kind }: Reference, { href, title, text }: Target): string =>
  `<a href="${escapeHtml(href)}" title="${escapeHtml(title)}" class="gfm gfm-${kind}">${escapeHtml(text)}</a>`;
