import {
  createGroupBadge,
  createProjectBadge,
  type GroupRef,
  listGroupDeployTokens,
  listGroupHooks,
  listGroupTokens,
  listGroupVariables,
  listProjectDeployKeys,
  listProjectDeployTokens,
  listProjectHooks,
  listProjectTokens,
  listProjectVariables,
  listRemoteMirrors,
  type ProjectRef,
  updateGroup,
  updateProject,
} from '@moothall/contracts';
import { below, belowGroup } from './code-address';
import type { Part } from './navigation';

/** The settings of a project that have pages. */
export const settingsParts: readonly Part<ProjectRef>[] = [
  { name: 'General', path: (project) => `/${project.fullPath}/edit`, needs: updateProject },
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

/** The settings of a group that have pages. */
export const groupSettingsParts: readonly Part<GroupRef>[] = [
  { name: 'General', path: (group) => belowGroup(group, 'edit'), needs: updateGroup },
  { name: 'Variables', path: (group) => belowGroup(group, 'variables'), needs: listGroupVariables },
  { name: 'Access tokens', path: (group) => belowGroup(group, 'settings/access_tokens'), needs: listGroupTokens },
  { name: 'Deploy tokens', path: (group) => belowGroup(group, 'deploy_tokens'), needs: listGroupDeployTokens },
  { name: 'Webhooks', path: (group) => belowGroup(group, 'hooks'), needs: listGroupHooks },
  { name: 'Badges', path: (group) => belowGroup(group, 'badges'), needs: createGroupBadge },
];
