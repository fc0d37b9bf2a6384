import {
  type Ability,
  type AccessLevel,
  defaultProjectSettings,
  features,
  type ProjectRef,
  type ProjectSettings,
} from '@moothall/contracts';
import type { ProjectDocument } from './project.schema';

/** The reference to a project that other services get. */
export const projectRefOf = (
  project: ProjectDocument,
  accessLevel: AccessLevel,
  abilities: Ability[] = [],
): ProjectRef => ({
  id: project._id,
  name: project.name,
  path: project.path,
  fullPath: project.fullPath,
  nameWithNamespace: project.nameWithNamespace,
  namespaceId: project.namespaceId,
  namespaceKind: project.namespaceKind,
  groupIds: project.groupIds,
  ...(project.ownerId !== undefined && { ownerId: project.ownerId }),
  creatorId: project.creatorId,
  visibility: project.visibility,
  isArchived: project.isArchived,
  defaultBranch: project.defaultBranch,
  description: project.description,
  createdAt: project.createdAt.toISOString(),
  storage: project.storage,
  isReadOnly: project.isReadOnly,
  features: featuresOfRef(project),
  publicBuilds: project.settings.public_builds,
  ci: ciOf({ ...defaultProjectSettings, ...project.settings }),
  lfsEnabled: project.settings.lfs_enabled ?? true,
  accessLevel,
  ...(abilities.length > 0 && { abilities }),
});

const ciOf = (settings: ProjectSettings): ProjectRef['ci'] => ({
  configPath: settings.ci_config_path || null,
  cancelsRedundant: settings.auto_cancel_pending_pipelines === 'enabled',
  timeoutSeconds: settings.build_timeout,
  gitDepth: settings.ci_default_git_depth,
});

export const featuresOfRef = (project: Pick<ProjectDocument, 'features'>): ProjectRef['features'] =>
  Object.fromEntries(features.map((feature) => [feature, project.features[feature]])) as ProjectRef['features'];
