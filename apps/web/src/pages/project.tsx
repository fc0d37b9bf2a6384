import {
  getLanguages,
  getProject,
  getRawFile,
  isError,
  markdownErrors,
  type Project,
  renderMarkdown,
} from '@moothall/contracts';
import { Named } from '@moothall/pages';
import type { NamespacePage } from '../page/page';
import { Heading } from '../parts/heading';
import { count } from '../parts/project-list';
import { Day } from '../parts/time';
import { readText } from '../visit/read-text';
import type { Visit } from '../visit/visits';

const readmeLimit = 256 * 1024;

/** A project: facts, addresses to clone, languages and README. */
export const projectPage: NamespacePage = async (visit, fullPath) => {
  if (!fullPath.includes('/')) return undefined;
  const project = await visit.askIfSeen(getProject, { id: fullPath });
  if (!project) return undefined;
  const [languages, readme] = await Promise.all([
    visit.askIfSeen(getLanguages, { id: String(project.id) }),
    readmeOf(visit, project),
  ]);
  return {
    title: project.name_with_namespace,
    heading: <Heading of={project} name={project.name_with_namespace} />,
    width: 'wide',
    body: (
      <>
        <Facts project={project} />
        {project.description && (
          <p>
            <Named>{project.description}</Named>
          </p>
        )}
        <Clone project={project} />
        {languages && <Languages shares={languages} />}
        {readme && <Readme {...readme} />}
      </>
    ),
  };
};

const Facts = ({ project }: { project: Project }) => (
  <ul class="facts">
    <li class="tag">{project.visibility}</li>
    {project.archived && <li class="tag">archived</li>}
    <li>{count(project.star_count, 'star')}</li>
    <li>{count(project.forks_count, 'fork')}</li>
    {project.open_issues_count !== undefined && <li>{count(project.open_issues_count, 'open issue')}</li>}
    <li>
      Last activity on <Day at={project.last_activity_at} />
    </li>
    {project.topics.map((topic) => (
      <li key={topic} class="tag">
        <Named>{topic}</Named>
      </li>
    ))}
  </ul>
);

const Clone = ({ project }: { project: Project }) => (
  <>
    <h2>Clone</h2>
    <p>
      <code>git clone {project.http_url_to_repo}</code>
    </p>
    <p>
      <code>git clone {project.ssh_url_to_repo}</code>
    </p>
  </>
);

const Languages = ({ shares }: { shares: Record<string, number> }) => {
  const sorted = Object.entries(shares).sort(([, one], [, other]) => other - one);
  return sorted.length === 0 ? null : (
    <>
      <h2>Languages</h2>
      <ul class="facts">
        {sorted.map(([language, percent]) => (
          <li key={language}>
            <Named>{language}</Named> <span class="dim">{percent} %</span>
          </li>
        ))}
      </ul>
    </>
  );
};

interface ReadmeShown {
  name: string;
  text: string;
  /** Of Markdown, from the service that renders it for the API. */
  html: string | undefined;
  isCut: boolean;
}

const Readme = ({ name, text, html, isCut }: ReadmeShown) => (
  <section aria-labelledby="readme">
    <h2 id="readme">
      <Named>{name}</Named>
    </h2>
    {html === undefined ? (
      <pre>{text}</pre>
    ) : (
      // Of HTML in it, only plain elements without attributes remain.
      <div class="prose" dangerouslySetInnerHTML={{ __html: html }} />
    )}
    {isCut && <p class="dim">The rest of the file is not shown.</p>}
  </section>
);

async function readmeOf(visit: Visit, project: Project): Promise<ReadmeShown | undefined> {
  const path = readmePathOf(project);
  if (path === undefined || project.default_branch === null) return undefined;
  const id = String(project.id);
  const file = await visit.askIfSeen(getRawFile, { id, file_path: path, ref: project.default_branch });
  if (!file) return undefined;
  const { text, isCut } = await readText(file, readmeLimit);
  const html = /\.(md|markdown)$/i.test(path) ? await htmlOf(visit, project, text) : undefined;
  return { name: path, text, html, isCut };
}

/** `readme_url` ends with the branch and the path, both as they are. */
function readmePathOf({ readme_url, web_url, default_branch }: Project): string | undefined {
  const start = `${web_url}/-/blob/${default_branch}/`;
  return readme_url?.startsWith(start) ? readme_url.slice(start.length) : undefined;
}

/** Undefined for a text that takes too much to be rendered: it is shown as it is. */
async function htmlOf(visit: Visit, project: Project, text: string): Promise<string | undefined> {
  try {
    const { html } = await visit.ask(renderMarkdown, { text, gfm: true, project: String(project.id) });
    return html;
  } catch (error) {
    if (isError(error, markdownErrors.tooMuch)) return undefined;
    throw error;
  }
}
