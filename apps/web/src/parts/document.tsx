import { getRawFile, type ProjectRef, renderMarkdownTexts } from '@moothall/contracts';
import { readText } from '../visit/read-text';
import type { Visit } from '../visit/visits';
import { below, type Found } from './code-address';
import { headingsBelow } from './headings-below';

const limit = 64 * 1024;

/** A text of a repository, to be read by people. */
export interface DocumentShown {
  text: string;
  /** Of Markdown; undefined also if it takes too much to be rendered: then it is shown as it is. */
  html: string | undefined;
  isCut: boolean;
  /** The whole file. */
  rawPath: string;
}

export const isMarkdown = (name: string): boolean => /\.(md|mdown|markdown)$/i.test(name);

/** Reads a text of a commit, and renders it if it is Markdown. */
export async function readDocument(
  visit: Visit,
  project: ProjectRef,
  { ref, commit_id, path }: Pick<Found, 'ref' | 'commit_id' | 'path'>,
): Promise<DocumentShown | undefined> {
  const file = await visit.askIfSeen(getRawFile, { id: String(project.id), file_path: path, ref: commit_id });
  if (!file) return undefined;
  const { text, isCut } = await readText(file, limit);
  return {
    text,
    isCut,
    rawPath: below(project, 'raw', ref, path),
    html: isMarkdown(path) ? await htmlOf(visit, project, ref, path, text) : undefined,
  };
}

async function htmlOf(visit: Visit, project: ProjectRef, ref: string, path: string, text: string) {
  const relative = {
    folder: path.slice(0, Math.max(0, path.lastIndexOf('/'))),
    links: below(project, 'blob', ref),
    images: below(project, 'raw', ref),
  };
  const [html] = await visit.ask(renderMarkdownTexts, { id: String(project.id), texts: [text], relative });
  return html ?? undefined;
}

/** @param level of the heading above it */
export const Document = ({ text, html, isCut, rawPath, level = 1 }: DocumentShown & { level?: number }) => (
  <>
    {html === undefined ? (
      <pre>{text}</pre>
    ) : (
      // Of HTML in it, only plain elements without attributes and named anchors remain.
      <div class="prose" dangerouslySetInnerHTML={{ __html: headingsBelow(level, html) }} />
    )}
    {isCut && <RestOfFile rawPath={rawPath} />}
  </>
);

export const RestOfFile = ({ rawPath }: { rawPath: string }) => (
  <p class="dim">
    The rest of the file is in the <a href={rawPath}>raw file</a>.
  </p>
);
