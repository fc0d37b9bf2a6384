import MarkdownIt from 'markdown-it';
import { absoluteAddresses, type Roots } from './absolute-addresses';
import { alignedColumns } from './aligned-columns';
import { headingAnchors } from './heading-anchors';
import { markReferences } from './linked-references';
import { namedAnchors } from './named-anchors';
import { plainHtml } from './plain-html';
import type { Reference } from './references-in';
import { taskLists } from './task-lists';

export interface Work {
  texts: readonly string[];
  /** Whether references are marked. */
  gfm: boolean;
  /** Limit of each result: link definitions can make a short text very long. */
  mostCharacters: number;
  roots?: Roots | undefined;
  /** Whether headings are links to themselves, and anchors of HTML remain. */
  anchors?: boolean | undefined;
}

/** The references in the HTML have marks: see linkReferences. */
export type Outcome = { html: string; references: Reference[] } | { isTooLong: true };

const wwwTail = /[\w-]+(?:\.[\w-]+)+(?:[/?#][^\s<>"']*[\w/])?/y;

/** Runs in a thread that can be terminated: see Markdown. @returns the outcome of each text */
export default function renderAll({ texts, gfm, mostCharacters, roots, anchors }: Work): Outcome[] {
  const found = new Map<string, Reference>();
  const markdown = makeRenderer();
  if (roots) absoluteAddresses(markdown, roots);
  if (anchors) {
    namedAnchors(markdown);
    headingAnchors(markdown);
  }
  if (gfm) markReferences(markdown, found);
  return texts.map((text) => {
    found.clear();
    try {
      const html = markdown.render(text);
      return html.length > mostCharacters ? { isTooLong: true } : { html, references: [...found.values()] };
    } catch (error) {
      // Larger than the maximum string length.
      if (error instanceof RangeError) return { isTooLong: true };
      throw error;
    }
  });
}

/** As v4 renders a text, without references. */
function makeRenderer() {
  const markdown = new MarkdownIt({ html: true, linkify: true });
  // File names are no links, and a word that begins with www. is one.
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
  alignedColumns(markdown);
  const { rules } = markdown.renderer;
  rules.html_block = rules.html_inline = (tokens, at) => plainHtml(tokens[at]?.content ?? '');
  rules.link_open = (tokens, at, options, _env, self) => {
    tokens[at]?.attrSet('rel', 'nofollow noreferrer noopener');
    return self.renderToken(tokens, at, options);
  };
  return markdown;
}
