import {
  Access,
  createGroupDeployToken,
  createGroupToken,
  createProjectDeployToken,
  createProjectToken,
  type GroupRef,
  listGroupDeployTokens,
  listGroupTokens,
  listProjectDeployTokens,
  listProjectTokens,
  type ProjectRef,
  revokeGroupDeployToken,
  revokeGroupToken,
  revokeProjectDeployToken,
  revokeProjectToken,
  rotateGroupToken,
  rotateProjectToken,
} from '@moothall/contracts';
import { type SettingsOf, settingsOfGroup, settingsOfProject } from '../../parts/settings-of';

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
}

const levels = [Access.Guest, Access.Reporter, Access.Developer, Access.Maintainer];

export const ofProject: TokensOf<ProjectRef> = {
  ...settingsOfProject,
  content: 'the project',
  accessTokens: projectAccessTokens,
  deployTokens: projectDeployTokens,
  levels,
};

export const ofGroup: TokensOf<GroupRef> = {
  ...settingsOfGroup,
  content: 'all projects in the group',
  accessTokens: groupAccessTokens,
  deployTokens: groupDeployTokens,
  levels: [...levels, Access.Owner],
};
