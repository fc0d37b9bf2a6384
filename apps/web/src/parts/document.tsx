import { getRawFile, isError, markdownErrors, type Project, renderMarkdownFile } from '@moothall/contracts';
import { readText } from '../visit/read-text';
import type { Visit } from '../visit/visits';
import { below, type Found } from './code-address';

const limit = 256 * 1024;

/** A text of a repository, to be read by people. */
export interface DocumentShown {
  text: string;
  /** Of Markdown, from the service that renders it for the API. */
  html: string | undefined;
  isCut: boolean;
}

export const isMarkdown = (name: string): boolean => /\.(md|mdown|markdown)$/i.test(name);

/** Reads a text of a commit, and renders it if it is Markdown. */
export async function readDocument(
  visit: Visit,
  project: Project,
  { ref, commit_id, path }: Pick<Found, 'ref' | 'commit_id' | 'path'>,
): Promise<DocumentShown | undefined> {
  const file = await visit.askIfSeen(getRawFile, { id: String(project.id), file_path: path, ref: commit_id });
  if (!file) return undefined;
  const { text, isCut } = await readText(file, limit);
  return { text, isCut, html: isMarkdown(path) ? await htmlOf(visit, project, ref, path, text) : undefined };
}

/** Undefined for a text that takes too much to be rendered: it is shown as it is. */
async function htmlOf(visit: Visit, project: Project, ref: string, path: string, text: string) {
  const id = String(project.id);
  const folder = path.slice(0, Math.max(0, path.lastIndexOf('/')));
  const [links, images] = [below(project, 'blob', ref), below(project, 'raw', ref)];
  try {
    return (await visit.ask(renderMarkdownFile, { id, text, folder, links, images })).html;
  } catch (error) {
    if (isError(error, markdownErrors.tooMuch)) return undefined;
    throw error;
  }
}

export const Document = ({ text, html, isCut }: DocumentShown) => (
  <>
    {html === undefined ? (
      <pre>{text}</pre>
    ) : (
      // Of HTML in it, only plain elements without attributes remain.
      <div class="prose" dangerouslySetInnerHTML={{ __html: html }} />
    )}
    {isCut && <p class="dim">The rest of the file is not shown.</p>}
  </>
);
