import {
  type InputOf,
  isError,
  markdownErrors,
  type ProjectRef,
  renderMarkdown,
  renderMarkdownTexts,
} from '@moothall/contracts';
import type { Visit } from '../visit/visits';
import { headingsBelow } from './headings-below';

/** Longer texts of users are cut. */
const mostOfText = 64 * 1024;
/** The same for all texts after the first one together. */
const mostOfOthers = 128 * 1024;

/** What a page asks of each text: one character more than it shows, so that it knows which ones are cut. */
export const longestText = mostOfText + 1;

/** A text of a user, rendered as the API does. */
export interface TextShown {
  /** Undefined if it takes too much to be rendered. */
  html: string | undefined;
  text: string;
  isCut: boolean;
}

type Relative = InputOf<typeof renderMarkdownTexts>['relative'];

/**
 * Renders texts, in their order.
 * @param project to which they belong; without one, references name their project: `group/project#1`
 * @param relative where links of files lead
 * @param most characters of each text
 */
export async function readTexts(
  visit: Visit,
  project: ProjectRef | undefined,
  given: readonly string[],
  relative?: Relative,
  most = mostOfText,
): Promise<TextShown[]> {
  if (given.length === 0) return [];
  let left = mostOfOthers;
  const texts = given.map((text, at) => {
    const beginning = text.slice(0, at === 0 ? most : Math.min(most, left));
    if (at > 0) left -= beginning.length;
    return beginning;
  });
  const rendered = project
    ? await visit.ask(renderMarkdownTexts, { id: String(project.id), texts, relative })
    : await Promise.all(texts.map((text) => renderOne(visit, text)));
  return texts.map((text, at) => ({
    text,
    html: rendered[at] ?? undefined,
    isCut: text.length < (given[at] ?? '').length,
  }));
}

async function renderOne(visit: Visit, text: string): Promise<string | null> {
  try {
    return (await visit.ask(renderMarkdown, { text, gfm: true })).html;
  } catch (error) {
    if (isError(error, markdownErrors.tooMuch)) return null;
    throw error;
  }
}

/** A text that is not Markdown. */
export const plainText = (text: string): TextShown => ({
  html: undefined,
  text: text.slice(0, mostOfText),
  isCut: text.length > mostOfText,
});

/** @param level of the heading above it */
export const Text = ({ html, text, isCut, level = 1 }: TextShown & { level?: number }) => (
  <>
    {/* Of HTML in it, only plain elements without attributes and named anchors remain. */}
    {html === undefined ? <pre>{text}</pre> : <div dangerouslySetInnerHTML={{ __html: headingsBelow(level, html) }} />}
    {isCut && <p class="dim">The rest of the text is not shown.</p>}
  </>
);
