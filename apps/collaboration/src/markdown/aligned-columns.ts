import type { MarkdownIt } from 'markdown-it';

const style = /^text-align:(left|center|right)$/;

/**
 * Cells of an aligned column have the attribute `align`, as v4 writes it. markdown-it sets `style`, which the content
 * security policy of pages refuses.
 */
export function alignedColumns(markdown: MarkdownIt): void {
  markdown.core.ruler.after('block', 'aligned-columns', ({ tokens }) => {
    for (const token of tokens) {
      if (token.type !== 'th_open' && token.type !== 'td_open') continue;
      const [, side] = style.exec(String(token.attrGet('style'))) ?? [];
      token.attrs = side === undefined ? null : [['align', side]];
    }
  });
}
