import type { MarkdownIt } from 'markdown-it';

const box = /^\[([ xX])\] /;

/** Items that begin with `[ ]` or `[x]` get a disabled check box. Source: GitHub Flavored Markdown 0.29, 5.3. */
export function taskLists(markdown: MarkdownIt): void {
  markdown.core.ruler.after('inline', 'task-lists', ({ tokens, Token }) => {
    for (const [at, { type, children }] of tokens.entries()) {
      const isFirst = tokens[at - 1]?.type === 'paragraph_open' && tokens[at - 2]?.type === 'list_item_open';
      const [text] = children ?? [];
      const mark = isFirst && type === 'inline' && text?.type === 'text' ? box.exec(text.content)?.[1] : undefined;
      if (mark === undefined || !text || !children) continue;
      text.content = text.content.slice(4);
      const token = new Token('task_box', '', 0);
      token.meta = { isChecked: mark !== ' ' };
      children.unshift(token);
    }
  });
  markdown.renderer.rules.task_box = (tokens, at) =>
    `<input type="checkbox" disabled${tokens[at]?.meta?.isChecked ? ' checked' : ''}> `;
}
