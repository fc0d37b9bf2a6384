import {
  listBranches,
  listContributors,
  listPipelines,
  listProjectIssues,
  listProjectMergeRequests,
  listProjectMilestones,
  listReleases,
  type Operation,
  type Project,
} from '@moothall/contracts';
import { Named } from '@moothall/pages';
import type { Content } from '../page/page';
import type { Visit } from '../visit/visits';
import { below } from './code-address';

interface Part {
  name: string;
  path: (project: Project) => string;
  /** Visitors who may not call it do not see the link. */
  needs: Operation;
}

/** The parts of a project that have pages. */
const parts: readonly Part[] = [
  { name: 'Files', path: (project) => below(project, 'tree', project.default_branch ?? ''), needs: listBranches },
  { name: 'Commits', path: (project) => below(project, 'commits', project.default_branch ?? ''), needs: listBranches },
  { name: 'Branches', path: (project) => below(project, 'branches'), needs: listBranches },
  { name: 'Tags', path: (project) => below(project, 'tags'), needs: listBranches },
  { name: 'Compare', path: (project) => below(project, 'compare'), needs: listBranches },
  {
    name: 'Contributors',
    path: (project) => below(project, 'graphs', project.default_branch ?? ''),
    needs: listContributors,
  },
  { name: 'Issues', path: (project) => below(project, 'issues'), needs: listProjectIssues },
  { name: 'Merge requests', path: (project) => below(project, 'merge_requests'), needs: listProjectMergeRequests },
  { name: 'Pipelines', path: (project) => below(project, 'pipelines'), needs: listPipelines },
  { name: 'Milestones', path: (project) => below(project, 'milestones'), needs: listProjectMilestones },
  { name: 'Releases', path: (project) => below(project, 'releases'), needs: listReleases },
];

/** A page of a project, with links to the project and its parts. */
export async function inProject(visit: Visit, project: Project, content: Content): Promise<Content> {
  const id = String(project.id);
  const open = await Promise.all(parts.map(({ needs }) => visit.may(needs, { id })));
  return {
    width: 'wide',
    heading: content.title,
    ...content,
    title: `${content.title} · ${project.name_with_namespace}`,
    navigation: <Navigation project={project} shown={parts.filter((_, at) => open[at])} />,
  };
}

const Navigation = ({ project, shown }: { project: Project; shown: readonly Part[] }) => (
  <nav class="parts" aria-label="Project">
    <a href={`/${project.path_with_namespace}`}>
      <Named>{project.name_with_namespace}</Named>
    </a>
    {shown.map(({ name, path }) => (
      <a key={name} href={path(project)}>
        {name}
      </a>
    ))}
  </nav>
);
