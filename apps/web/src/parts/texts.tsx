import { type Project, renderMarkdownTexts } from '@moothall/contracts';
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

export const Text = ({ html, text, isCut }: TextShown) => (
  <>
    {/* Of HTML in it, only plain elements without attributes remain. */}
    {html === undefined ? <pre>{text}</pre> : <div dangerouslySetInnerHTML={{ __html: html }} />}
    {isCut && <p class="dim">The rest of the text is not shown.</p>}
  </>
);
