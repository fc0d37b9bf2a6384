import MarkdownIt from 'markdown-it';
import { linkedReferences, type Target } from './linked-references';
import { plainHtml } from './plain-html';
import type { Reference } from './references-in';
import { taskLists } from './task-lists';

export interface Work {
  text: string;
  /** Whether it is looked for references. */
  gfm: boolean;
  /** Where they lead, by their keys. */
  targets: Record<string, Target>;
  /** Links of reference definitions repeat what is defined once: a short text becomes a long one. */
  mostCharacters: number;
}

export type Outcome = { html: string; references: Reference[] } | { isTooLong: true };

const wwwTail = /[\w-]+(?:\.[\w-]+)+(?:[/?#][^\s<>"']*[\w/])?/y;

/** Runs in a thread that can be ended: see Markdown. */
export default function render({ text, gfm, targets, mostCharacters }: Work): Outcome {
  const found = new Map<string, Reference>();
  const markdown = new MarkdownIt({ html: true, linkify: true });
  // Names of files are no addresses, and what begins with www. is one.
  markdown.linkify.set({ fuzzyLink: false, fuzzyEmail: true });
  markdown.linkify.add('www.', {
    validate(source, at) {
      wwwTail.lastIndex = at;
      return wwwTail.exec(source)?.[0].length ?? 0;
    },
    normalize(match) {
      match.url = `http://${match.url}`;
    },
  });
  taskLists(markdown);
  if (gfm) linkedReferences(markdown, { found, targets });
  const { rules } = markdown.renderer;
  rules.html_block = rules.html_inline = (tokens, at) => plainHtml(tokens[at]?.content ?? '');
  rules.link_open = (tokens, at, options, _env, self) => {
    tokens[at]?.attrSet('rel', 'nofollow noreferrer noopener');
    return self.renderToken(tokens, at, options);
  };
  try {
    const html = markdown.render(text);
    return html.length > mostCharacters ? { isTooLong: true } : { html, references: [...found.values()] };
  } catch (error) {
    // Longer than any text can be.
    if (error instanceof RangeError) return { isTooLong: true };
    throw error;
  }
}
