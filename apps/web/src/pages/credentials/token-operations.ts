import {
  Access,
  createGroupDeployToken,
  createGroupToken,
  createProjectDeployToken,
  createProjectToken,
  type Group,
  listGroupDeployTokens,
  listGroupTokens,
  listProjectDeployTokens,
  listProjectTokens,
  type Project,
  revokeGroupDeployToken,
  revokeGroupToken,
  revokeProjectDeployToken,
  revokeProjectToken,
  rotateGroupToken,
  rotateProjectToken,
} from '@moothall/contracts';
import { type SettingsOf, settingsOfGroup, settingsOfProject } from '../../parts/settings-of';
import type { Visit } from '../../visit/visits';

const projectAccessTokens = {
  list: listProjectTokens,
  create: createProjectToken,
  rotate: rotateProjectToken,
  revoke: revokeProjectToken,
};

const groupAccessTokens = {
  list: listGroupTokens,
  create: createGroupToken,
  rotate: rotateGroupToken,
  revoke: revokeGroupToken,
};

const projectDeployTokens = {
  list: listProjectDeployTokens,
  create: createProjectDeployToken,
  revoke: revokeProjectDeployToken,
};

const groupDeployTokens = {
  list: listGroupDeployTokens,
  create: createGroupDeployToken,
  revoke: revokeGroupDeployToken,
};

/** Tokens of a project or a group: the operations on them have the same parameters. */
export interface TokensOf<T> extends SettingsOf<T> {
  /** What a token opens, in words: `the project`. */
  content: string;
  accessTokens: typeof projectAccessTokens | typeof groupAccessTokens;
  deployTokens: typeof projectDeployTokens | typeof groupDeployTokens;
  /** Levels that an access token can have. */
  levels: readonly number[];
  /** Whether the visitor has at least this level. */
  reaches(visit: Visit, parent: T, level: number): Promise<boolean>;
}

const levels = [Access.Guest, Access.Reporter, Access.Developer, Access.Maintainer];

export const ofProject: TokensOf<Project> = {
  ...settingsOfProject,
  content: 'the project',
  accessTokens: projectAccessTokens,
  deployTokens: projectDeployTokens,
  levels,
  reaches: (visit, project, level) => visit.reaches(project, level),
};

export const ofGroup: TokensOf<Group> = {
  ...settingsOfGroup,
  content: 'all projects in the group',
  accessTokens: groupAccessTokens,
  deployTokens: groupDeployTokens,
  levels: [...levels, Access.Owner],
  reaches: (visit, group, level) => visit.reachesInGroup(group, level),
};
