import type { MarkdownIt } from 'markdown-it';
import { keyOf, type Reference, referencesIn } from './references-in';

/** The target of a reference, as the reader may see it. */
export interface Target {
  href: string;
  text: string;
  title: string;
}

/** Limit of links in one text; further references stay text. */
export const mostReferences = 50;

export interface References {
  /** References that were found, by key. */
  found: Map<string, Reference>;
  targets: Readonly<Record<string, Target>>;
}

/** Replaces resolved references with links, except in code, links and HTML; and returns all references. */
export function linkedReferences(markdown: MarkdownIt, { found, targets }: References): void {
  markdown.core.ruler.push('references', ({ tokens, Token }) => {
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
        const token = new Token('text', '', 0);
        token.content = text;
        if (!reference) return token;
        const key = keyOf(reference);
        if (found.size < mostReferences) found.set(key, reference);
        const target = Object.hasOwn(targets, key) ? targets[key] : undefined;
        if (!target) return token;
        token.type = 'reference';
        token.content = target.text;
        token.attrs = [
          ['href', target.href],
          ['title', target.title],
          ['class', `gfm gfm-${reference.kind}`],
        ];
        return token;
      });
    }
  });
  const { escapeHtml } = markdown.utils;
  markdown.renderer.rules.reference = (tokens, at, _options, _env, self) => {
    const token = tokens[at];
    return token ? `<a${self.renderAttrs(token)}>${escapeHtml(token.content)}</a>` : '';
  };
}
