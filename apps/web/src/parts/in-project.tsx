import {
  listAllProjectMembers,
  listBranches,
  listContributors,
  listPipelines,
  listProjectBoards,
  listProjectIssues,
  listProjectMergeRequests,
  listProjectMilestones,
  listProjectPackages,
  listProjectRegistryRepositories,
  listProjectSnippets,
  listReleases,
  listSomeWikiPages,
  type ProjectRef,
  searchProjectUsers,
} from '@moothall/contracts';
import type { Content } from '../page/page';
import type { Visit } from '../visit/visits';
import { below } from './code-address';
import { Navigation, openParts, type Part, withSettings } from './navigation';
import { settingsParts } from './settings-parts';

/** The parts of a project that have pages. */
const parts: readonly Part<ProjectRef>[] = [
  { name: 'Files', path: (project) => below(project, 'tree', project.defaultBranch ?? ''), needs: listBranches },
  { name: 'Commits', path: (project) => below(project, 'commits', project.defaultBranch ?? ''), needs: listBranches },
  { name: 'Branches', path: (project) => below(project, 'branches'), needs: listBranches },
  { name: 'Tags', path: (project) => below(project, 'tags'), needs: listBranches },
  { name: 'Compare', path: (project) => below(project, 'compare'), needs: listBranches },
  {
    name: 'Contributors',
    path: (project) => below(project, 'graphs', project.defaultBranch ?? ''),
    needs: listContributors,
  },
  { name: 'Issues', path: (project) => below(project, 'issues'), needs: listProjectIssues },
  { name: 'Boards', path: (project) => below(project, 'boards'), needs: listProjectBoards },
  { name: 'Merge requests', path: (project) => below(project, 'merge_requests'), needs: listProjectMergeRequests },
  { name: 'Pipelines', path: (project) => below(project, 'pipelines'), needs: listPipelines },
  { name: 'Milestones', path: (project) => below(project, 'milestones'), needs: listProjectMilestones },
  { name: 'Releases', path: (project) => below(project, 'releases'), needs: listReleases },
  { name: 'Packages', path: (project) => below(project, 'packages'), needs: listProjectPackages },
  {
    name: 'Container images',
    path: (project) => below(project, 'container_registry'),
    needs: listProjectRegistryRepositories,
  },
  { name: 'Wiki', path: (project) => below(project, 'wikis'), needs: listSomeWikiPages },
  { name: 'Snippets', path: (project) => below(project, 'snippets'), needs: listProjectSnippets },
  { name: 'Members', path: (project) => below(project, 'project_members'), needs: listAllProjectMembers },
  // Everybody who is signed in may search for members, and for what else the page offers.
  { name: 'Search', path: ({ id }) => `/search?project_id=${id}`, needs: searchProjectUsers },
];

/** A page of a project, with links to the project and its parts. */
export async function inProject(visit: Visit, project: ProjectRef, content: Content): Promise<Content> {
  const [shown, settings] = await Promise.all([
    openParts(visit, project, parts),
    openParts(visit, project, settingsParts),
  ]);
  return {
    width: 'wide',
    heading: content.title,
    ...content,
    title: `${content.title} · ${project.nameWithNamespace}`,
    navigation: (
      <Navigation
        label="Project"
        name={project.nameWithNamespace}
        path={`/${project.fullPath}`}
        parts={withSettings(shown, settings)}
      />
    ),
  };
}
