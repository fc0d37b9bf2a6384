import {
  createSnippetNote,
  getProjectSnippet,
  getSnippet,
  listSnippetDiscussionBeginnings,
  type ProjectRef,
  readSnippetFiles,
  replyToSnippetDiscussion,
  type Snippet,
} from '@moothall/contracts';
import { Named } from '@moothall/pages';
import type { HighlightedLines } from '../../highlight/highlighter';
import type { ProjectPage, SitePage } from '../../page/page';
import { pathOf } from '../../parts/address';
import { below, nameOf } from '../../parts/code-address';
import { discussionForms } from '../../parts/discussion-forms';
import { beginnings, Discussions, readDiscussions } from '../../parts/discussions';
import { RestOfFile } from '../../parts/document';
import { inProject } from '../../parts/in-project';
import { Lines, mostLines } from '../../parts/lines';
import { pageOf, perPage } from '../../parts/paging';
import { longestText, readTexts, Text, type TextShown } from '../../parts/texts';
import { Day } from '../../parts/time';
import { UserLink } from '../../parts/user-link';
import type { Visit } from '../../visit/visits';
import { mayChange, mayChangeInProject } from './may-write-snippet';
import { projectSnippetAt, snippetAt } from './snippet-address';

/** A snippet of a project with its discussion. */
export const projectSnippetPage: ProjectPage = {
  at: '/snippets/:id',
  async show(visit, project, address) {
    const asked = projectSnippetAt(project, address);
    const [snippet, discussions, mayComment] = await Promise.all([
      visit.ask(getProjectSnippet, asked, longestText),
      visit.askIfSeen(listSnippetDiscussionBeginnings, {
        ...asked,
        ...beginnings,
        page: pageOf(address),
        per_page: perPage,
      }),
      visit.may(createSnippetNote, project),
    ]);
    const [shown, discussed, changes] = await Promise.all([
      readSnippet(visit, project, snippet),
      readDiscussions(visit, project, { discussions: discussions?.items }, address, { comments: mayComment }),
      mayChangeInProject(visit, project, snippet),
    ]);
    return inProject(visit, project, {
      title: snippet.title,
      heading: <Named>{snippet.title}</Named>,
      body: (
        <>
          <ShownSnippet {...shown} changes={changes} />
          <Discussions {...discussed} />
        </>
      ),
    });
  },
  forms: discussionForms({
    at: (project, address) => below(project, `snippets/${projectSnippetAt(project, address).snippet_id}`),
    count: async (visit, project, address) =>
      (
        await visit.ask(listSnippetDiscussionBeginnings, {
          ...projectSnippetAt(project, address),
          ...beginnings,
          per_page: 1,
        })
      ).total,
    comment: (visit, project, address, body) =>
      visit.ask(createSnippetNote, { ...projectSnippetAt(project, address), body }),
    reply: (visit, project, address, note) =>
      visit.ask(replyToSnippetDiscussion, { ...projectSnippetAt(project, address), ...note }),
  }),
};

/** A personal snippet. */
export const snippetPage: SitePage = {
  at: '/-/snippets/:id',
  async show(visit, address) {
    const snippet = await visit.ask(getSnippet, snippetAt(address), longestText);
    if (snippet.project_id !== null) return undefined;
    return {
      title: snippet.title,
      heading: <Named>{snippet.title}</Named>,
      width: 'wide',
      body: <ShownSnippet {...(await readSnippet(visit, undefined, snippet))} changes={mayChange(visit, snippet)} />,
    };
  },
};

interface FileShown {
  path: string;
  rawPath: string;
  text: string;
  isWhole: boolean;
  highlighted: HighlightedLines;
}

interface SnippetShown {
  snippet: Snippet;
  description: TextShown | undefined;
  files: readonly FileShown[];
}

/** Limit of the texts of all files together. */
const mostCharacters = 128 * 1024;

async function readSnippet(visit: Visit, project: ProjectRef | undefined, snippet: Snippet): Promise<SnippetShown> {
  const [[description], files] = await Promise.all([
    readTexts(visit, project, snippet.description ? [snippet.description] : []),
    readFiles(visit, snippet),
  ]);
  return { snippet, description, files };
}

async function readFiles(visit: Visit, { id, raw_url }: Snippet): Promise<FileShown[]> {
  const files = await visit.ask(readSnippetFiles, { id, characters: mostCharacters });
  const shown = await Promise.all(
    files.map(async ({ path, text, is_whole }) => ({
      path,
      rawPath: [pathOf(raw_url), 'main', ...path.split('/').map(encodeURIComponent)].join('/'),
      text,
      isWhole: is_whole,
      highlighted: await visit.highlight({ name: nameOf(path), text }),
    })),
  );
  return withinLimit(shown);
}

/** Limit of the highlighted lines of all files together. */
const mostOfHtml = 1024 ** 2;

/** Files that exceed the limit are not highlighted: nested languages make short texts long. */
function withinLimit(files: readonly FileShown[]): FileShown[] {
  let left = mostOfHtml;
  return files.map((file) => {
    const length = (file.highlighted ?? []).reduce((sum, line) => sum + line.length, 0);
    if (length > left) return { ...file, highlighted: undefined };
    left -= length;
    return file;
  });
}

const ShownSnippet = ({ snippet, description, files, changes }: SnippetShown & { changes: boolean }) => (
  <>
    <ul class="facts">
      <li class="tag">{snippet.visibility}</li>
      <li>
        By <UserLink user={snippet.author} /> on <Day at={snippet.created_at} />
      </li>
    </ul>
    {changes && (
      <p>
        <a href={`${pathOf(snippet.web_url)}/edit`}>Edit</a>
      </p>
    )}
    {description && <Text {...description} />}
    {files.map(({ path, rawPath, isWhole, ...shown }, at) => (
      <section key={path} class="file">
        <h2>
          <Named>{path}</Named>
        </h2>
        <p>
          <a href={rawPath}>Raw file</a>
        </p>
        <Lines
          label={path}
          {...shown}
          most={Math.floor(mostLines / files.length)}
          anchor={at === 0 ? 'L' : `file${at + 1}-L`}
        />
        {!isWhole && <RestOfFile rawPath={rawPath} />}
      </section>
    ))}
  </>
);
