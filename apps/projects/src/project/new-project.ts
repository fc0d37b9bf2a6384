import {
  Access,
  type ContainerExpirationPolicy,
  commonErrors,
  type createProject,
  defaultProjectSettings,
  type Given,
  type GroupSettings,
  invalidRecord,
  type ParsedOf,
  type ProjectSettings,
  projectErrors,
  projectSettings,
  type Visibility,
} from '@moothall/contracts';
import type { NamespaceDocument } from '../namespace/namespace.schema';
import { nameProblems, pathFromName, projectPathProblems } from '../namespace/path-rules';
import { narrower, requireVisibilityWithin } from '../namespace/visibility-rules';
import { cleanupDue, cleanupPolicyOf } from './cleanup-policy';
import { defaultFeatures, featuresOf } from './features';

export type CreateInput = ParsedOf<typeof createProject>;

export const defaultExpirationPolicy: ContainerExpirationPolicy = {
  cadence: '1d',
  enabled: false,
  keep_n: 10,
  older_than: '90d',
  name_regex: '.*',
  name_regex_keep: null,
};

/** Name and path of a project; each one defaults to the other. @throws common.invalid_record */
export function namesOf(input: { name?: string | undefined; path?: string | undefined }): {
  name: string;
  path: string;
} {
  const name = input.name ?? input.path ?? '';
  const path = input.path ?? pathFromName(name);
  const problems = { name: nameProblems(name), path: projectPathProblems(path) };
  const found = Object.entries(problems).filter(([, texts]) => texts.length > 0);
  if (found.length > 0) throw invalidRecord(Object.fromEntries(found));
  return { name, path };
}

/** The lowest level that may create projects in a group; undefined if nobody may. */
export function creationLevel({ project_creation_level }: GroupSettings): number | undefined {
  if (project_creation_level === 'noone') return undefined;
  return project_creation_level === 'maintainer' ? Access.Maintainer : Access.Developer;
}

/** @throws project.namespace_not_valid for callers who may not create projects in the group */
export function requireMayCreateIn(group: NamespaceDocument, level: number, isAdmin: boolean): void {
  if (isAdmin) return;
  const least = creationLevel(group.settings);
  if (least === undefined || level < least) throw projectErrors.namespaceNotValid();
}

type SettingsInput = Given<ProjectSettings> & {
  public_jobs?: boolean | undefined;
  emails_enabled?: boolean | undefined;
};

/** Fields of the input that are plain settings. */
export function settingsOf(input: SettingsInput): Partial<ProjectSettings> {
  const named = Object.entries(input).filter(([name, value]) => name in projectSettings && value !== undefined);
  const settings: Partial<ProjectSettings> = Object.fromEntries(named);
  if (input.public_jobs !== undefined) settings.public_builds = input.public_jobs;
  if (input.emails_enabled !== undefined) settings.emails_disabled = !input.emails_enabled;
  return settings;
}

/** Topics, under the older or the newer field name. */
export const topicsOf = ({
  tag_list,
  topics,
}: {
  tag_list?: string[] | undefined;
  topics?: string[] | undefined;
}): string[] | undefined => {
  const given = topics ?? tag_list;
  return given && [...new Set(given.map((topic) => topic.trim()).filter((topic) => topic !== ''))];
};

/** Fields of a new project from the input and the defaults of the instance. @throws common.invalid_record */
export function attributesOf(input: CreateInput, namespace: NamespaceDocument, byDefault: Visibility) {
  const inGroup = namespace.kind === 'group' ? narrower(byDefault, namespace.visibility) : byDefault;
  const visibility = input.visibility ?? inGroup;
  requireVisibilityWithin(visibility, namespace);
  requireShortDescription(input.description);
  const given = cleanupPolicyOf(input.container_expiration_policy_attributes ?? {});
  const containerExpirationPolicy = { ...defaultExpirationPolicy, ...given };
  return {
    description: input.description || null,
    visibility,
    features: { ...defaultFeatures, ...featuresOf(input) },
    settings: { ...defaultProjectSettings, ...settingsOf(input) },
    containerExpirationPolicy,
    ...cleanupDue(containerExpirationPolicy),
    topics: topicsOf(input) ?? [],
  };
}

const maxDescription = 2000;

/** @throws common.invalid_record */
export function requireShortDescription(description: string | null | undefined): void {
  if (description && description.length > maxDescription) {
    throw invalidRecord({ description: [`is too long (maximum is ${maxDescription} characters)`] });
  }
}

/**
 * Imports use HTTP or git; the repository service decides which addresses are allowed. @throws common.invalid_record
 */
export function requireImportable(url: string | undefined): void {
  if (!url) return;
  const protocol = URL.parse(url)?.protocol;
  if (!protocol) throw invalidRecord({ import_url: ['is blocked: URI is invalid'] });
  if (!['http:', 'https:', 'git:'].includes(protocol)) {
    throw invalidRecord({ import_url: ['is blocked: Only allowed schemes are http, https, git'] });
  }
}

/** @throws common.forbidden unless the caller is an administrator */
export function requireAdminForStorage(storage: string | undefined, isAdmin: boolean): void {
  if (storage !== undefined && !isAdmin) throw commonErrors.forbidden();
}
