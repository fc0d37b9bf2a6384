import { createCommit, findPath, getLanguages, getProject, type Project } from '@moothall/contracts';
import { Named } from '@moothall/pages';
import type { ProjectPage } from '../page/page';
import { ArchiveLinks } from '../parts/archive-links';
import { CodeBlock } from '../parts/code-block';
import { Folder, readFolder } from '../parts/folder';
import { Heading } from '../parts/heading';
import { inProject } from '../parts/in-project';
import { count } from '../parts/project-list';
import { Day } from '../parts/time';

/** A project: facts, addresses to clone, languages, files and README. */
export const projectPage: ProjectPage = {
  at: '',
  async show(visit, ref, address) {
    const id = String(ref.id);
    const [project, languages, root, mayPush] = await Promise.all([
      visit.ask(getProject, { id }),
      visit.askIfSeen(getLanguages, { id }),
      visit.askIfSeen(findPath, { id, ref_and_path: '' }),
      visit.may(createCommit, ref),
    ]);
    const folder = root && (await readFolder(visit, ref, root, address));
    return inProject(visit, ref, {
      title: project.name,
      heading: <Heading of={project} name={project.name_with_namespace} />,
      body: (
        <>
          <Facts project={project} />
          {project.description && (
            <p>
              <Named>{project.description}</Named>
            </p>
          )}
          <Clone project={project} />
          {root && <ArchiveLinks project={ref} at={root.ref} />}
          {languages && <Languages shares={languages} />}
          {project.empty_repo && mayPush && <FirstPush project={project} />}
          {folder && <h2>Files</h2>}
          {folder && <Folder {...folder} />}
        </>
      ),
    });
  },
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

/** How files get into an empty repository. */
const FirstPush = ({ project: { http_url_to_repo: url, default_branch: branch } }: { project: Project }) => (
  <>
    <h2>Push your files</h2>
    <p>The repository is empty. In a folder with files on your computer:</p>
    <CodeBlock label="Commands">
      <span>
        {[
          `git init --initial-branch=${branch ?? 'main'}`,
          `git remote add origin ${url}`,
          'git add .',
          'git commit -m "Add the first files"',
          `git push -u origin ${branch ?? 'main'}`,
        ].join('\n')}
      </span>
    </CodeBlock>
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
