import {
  createProjectBadge,
  listProjectDeployKeys,
  listProjectDeployTokens,
  listProjectHooks,
  listProjectTokens,
  listProjectVariables,
  listRemoteMirrors,
  type Project,
  updateProject,
} from '@moothall/contracts';
import { below } from './code-address';
import type { Part } from './navigation';

/** The settings of a project that have pages. */
export const settingsParts: readonly Part<Project>[] = [
  { name: 'General', path: (project) => `/${project.path_with_namespace}/edit`, needs: updateProject },
  {
    name: 'Merge requests',
    path: (project) => below(project, 'settings/merge_requests'),
    needs: updateProject,
  },
  { name: 'Pipelines', path: (project) => below(project, 'settings/ci_cd'), needs: updateProject },
  { name: 'Variables', path: (project) => below(project, 'variables'), needs: listProjectVariables },
  { name: 'Access tokens', path: (project) => below(project, 'settings/access_tokens'), needs: listProjectTokens },
  { name: 'Deploy tokens', path: (project) => below(project, 'deploy_tokens'), needs: listProjectDeployTokens },
  { name: 'Deploy keys', path: (project) => below(project, 'deploy_keys'), needs: listProjectDeployKeys },
  { name: 'Webhooks', path: (project) => below(project, 'hooks'), needs: listProjectHooks },
  { name: 'Mirrors', path: (project) => below(project, 'mirrors'), needs: listRemoteMirrors },
  { name: 'Badges', path: (project) => below(project, 'badges'), needs: createProjectBadge },
];
