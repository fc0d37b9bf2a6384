import { isError, markdownErrors, type Project, renderMarkdown, renderMarkdownTexts } from '@moothall/contracts';
import type { Visit } from '../visit/visits';

/** Longer texts of users are cut. */
const mostOfText = 64 * 1024;
/** The same for all texts of a page together. */
const mostOfPage = 256 * 1024;

/** A text of a user, rendered as the API does. */
export interface TextShown {
  /** Undefined if it takes too much to be rendered. */
  html: string | undefined;
  text: string;
  isCut: boolean;
}

/** Renders texts of a project, in their order. */
export async function readTexts(visit: Visit, project: Project, given: readonly string[]): Promise<TextShown[]> {
  let left = mostOfPage;
  const texts = given.map((text) => {
    const beginning = text.slice(0, Math.min(mostOfText, left));
    left -= beginning.length;
    return beginning;
  });
  const rendered = await visit.ask(renderMarkdownTexts, { id: String(project.id), texts });
  return texts.map((text, at) => ({
    text,
    html: rendered[at] ?? undefined,
    isCut: text.length < (given[at] ?? '').length,
  }));
}

/** Renders a text of a group. Its references name their project: `group/project#1`. */
export async function readGroupText(visit: Visit, given: string): Promise<TextShown> {
  const text = given.slice(0, mostOfText);
  const rendered = await visit.ask(renderMarkdown, { text, gfm: true }).catch((error: unknown) => {
    if (!isError(error, markdownErrors.tooMuch)) throw error;
  });
  return { text, html: rendered?.html, isCut: text.length < given.length };
}

export const Text = ({ html, text, isCut }: TextShown) => (
  <>
    {/* Of HTML in it, only plain elements without attributes remain. */}
    {html === undefined ? <pre>{text}</pre> : <div dangerouslySetInnerHTML={{ __html: html }} />}
    {isCut && <p class="dim">The rest of the text is not shown.</p>}
  </>
);
