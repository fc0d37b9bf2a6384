import type { MarkdownIt, Token } from 'markdown-it';

const opening = /^<a\s+(?:id|name)=(["'])([^\s"'<>&]{1,200})\1\s*>$/i;
const closing = /^<\/a>$/i;

/** Keeps anchors that authors write in HTML, `<a id="usage"></a>`, for links to `#usage`. Others are shown as text. */
export function namedAnchors(markdown: MarkdownIt): void {
  markdown.core.ruler.push('named-anchors', ({ tokens, Token }) => {
    for (const block of tokens) {
      block.children =
        block.children?.flatMap((token, at, all) => {
          if (nameOf(all[at - 1], token) !== undefined) return [];
          const name = nameOf(token, all[at + 1]);
          if (name === undefined) return [token];
          const anchor = new Token('named_anchor', '', 0);
          anchor.meta = { name };
          return [anchor];
        }) ?? null;
    }
  });
  markdown.renderer.rules.named_anchor = (tokens, at) => `<a name="${tokens[at]?.meta?.name}"></a>`;
}

/** Of an anchor that consists of these two tags. */
const nameOf = (first: Token | undefined, second: Token | undefined): string | undefined =>
  first?.type === 'html_inline' && second?.type === 'html_inline' && closing.test(second.content)
    ? opening.exec(first.content)?.[2]
    : undefined;
