import { createHmac } from 'node:crypto';
import {
  Access,
  type AccessLevel,
  type Caller,
  defaultProjectSettings,
  type NotificationLevel,
  notificationLevels,
  type Project,
  type ProjectRef,
  type ProjectSettings,
  projectErrors,
  type SharedWithGroup,
  type SimpleProject,
  type UserSummary,
} from '@moothall/contracts';
import { imagePrefix, type ServiceSettings, settingsToken } from '@moothall/service';
import { UserDirectory } from '@moothall/users';
import { Inject, Injectable } from '@nestjs/common';
import { Grants, principalOf, type UserGrants } from '../access/grants';
import { chainOf, groupKey, projectKey, type SourceKey } from '../member/source';
import { Namespaces } from '../namespace/namespace.repository';
import type { NamespaceDocument } from '../namespace/namespace.schema';
import { avatarUrlOf, viewNamespace } from '../namespace/namespace.view';
import type { SettingPlace } from '../notification/notification-setting.schema';
import { NotificationSettings } from '../notification/notification-settings';
import { ShareViews } from '../share/share.view';
import { viewFeatures } from './features';
import { Projects } from './project.repository';
import type { ProjectDocument } from './project.schema';
import { Shape } from './shape';

/** A branch and a path in the address of a page, where slashes stay. */
const encoded = (path: string): string => path.split('/').map(encodeURIComponent).join('/');

const settingNames = Object.keys(defaultProjectSettings);

/** The namespace, groups and owner of a project. */
interface Placement {
  _id: number;
  namespaceId: number;
  groupIds: number[];
  ownerId?: number | undefined;
}

/** Data from elsewhere that views of several projects need, read once for all. */
interface Surroundings {
  namespaces: ReadonlyMap<number, NamespaceDocument>;
  owners: Map<number, UserSummary>;
  shares: Map<string, SharedWithGroup[]>;
  grants: UserGrants;
  /** Notification settings of the reader, if there are any. */
  notifications: Map<SettingPlace, NotificationLevel>;
}

/** Builds the API views of projects. */
@Injectable()
export class ProjectViews {
  private readonly baseUrl: string;
  private readonly hostname: string;
  private readonly shape = new Shape();

  constructor(
    @Inject(settingsToken) private readonly settings: ServiceSettings,
    private readonly namespaces: Namespaces,
    private readonly projects: Projects,
    private readonly users: UserDirectory,
    private readonly grants: Grants,
    private readonly shares: ShareViews,
    private readonly notifications: NotificationSettings,
  ) {
    this.baseUrl = settings.EXTERNAL_URL.replace(/\/$/, '');
    this.hostname = new URL(this.baseUrl).hostname;
  }

  /** Simple views, for everybody who may read the projects. */
  async simple(projects: ProjectDocument[]): Promise<SimpleProject[]> {
    const namespaces = await this.namespaces.findByIds(projects.map(({ namespaceId }) => namespaceId));
    return projects.flatMap((project) => this.viewSimple(project, namespaces) ?? []);
  }

  /** Full views for a signed-in reader; some fields depend on the caller's level in each project. */
  async full(projects: ProjectDocument[], caller: Caller, known?: UserGrants): Promise<Project[]> {
    return this.viewAll(projects, caller, await this.surroundings(projects, caller, known), known);
  }

  /**
   * Reads a project that the caller may see, and all that its view needs, by one command. If the reference is outdated
   * because the project was moved, it reads the rest again.
   * @throws project.not_found also while it is being deleted with its namespace
   */
  async read(ref: ProjectRef, caller: Caller | undefined): Promise<{ project: ProjectDocument; view: Project }> {
    if (!caller) {
      const project = await this.projects.getToShow(ref.id);
      return { project, view: await this.one(project, caller) };
    }
    const place = { ...ref, _id: ref.id };
    const [project, around] = await Promise.all([this.projects.getToShow(ref.id), this.surroundings([place], caller)]);
    if (!isAt(project, place)) return { project, view: await this.one(project, caller) };
    const [view] = await this.viewAll([project], caller, around);
    if (!view) throw projectErrors.notFound();
    return { project, view };
  }

  /**
   * The view of one project that the caller may see.
   * @throws project.not_found while it is being deleted with its namespace
   */
  async one(project: ProjectDocument, caller: Caller | undefined): Promise<Project> {
    const [view] = caller ? await this.full([project], caller) : await this.simple([project]);
    if (!view) throw projectErrors.notFound();
    return view;
  }

  private async viewAll(
    projects: ProjectDocument[],
    caller: Caller,
    around: Surroundings,
    known?: UserGrants,
  ): Promise<Project[]> {
    const sources = await this.sourcesOf(projects, caller, known);
    return projects.flatMap((project) => this.viewFull(project, caller, around, sources) ?? []);
  }

  private async surroundings(places: Placement[], caller: Caller, known?: UserGrants): Promise<Surroundings> {
    const keys = places.flatMap(({ _id, namespaceId }) => [projectKey(_id), groupKey(namespaceId)]);
    const [owners, shares, grants, namespaces, notifications] = await Promise.all([
      this.users.summaries(places.flatMap(({ ownerId }) => ownerId ?? [])),
      this.shares.viewSharesOf(places.map(({ _id }) => projectKey(_id))),
      known ?? this.grantsFor(places, caller),
      this.namespaces.findByIds(places.map(({ namespaceId }) => namespaceId)),
      this.notifications.levelsOf(caller.id, [...new Set(keys)]),
    ]);
    return { namespaces, owners, shares, grants, notifications };
  }

  private grantsFor(places: Placement[], caller: Caller): Promise<UserGrants> {
    const [only, ...others] = places;
    if (!only || others.length > 0) return this.grants.findLevels(principalOf(caller));
    return this.grants.findLevelsWithin(principalOf(caller), chainOfProject(only));
  }

  /** Simple views of the projects that others are forks of, as far as the reader may see them. */
  private async sourcesOf(
    projects: ProjectDocument[],
    caller: Caller,
    known?: UserGrants,
  ): Promise<Map<number, SimpleProject>> {
    const ids = projects.flatMap(({ forkedFromId }) => forkedFromId ?? []);
    if (ids.length === 0) return new Map();
    const sources = await this.projects.findByIds(ids);
    const chains = sources.flatMap(chainOfProject);
    const grants = known ?? (await this.grants.findLevelsWithin(principalOf(caller), chains));
    const views = await this.simple(sources.filter((source) => isReadableBy(grants, source)));
    return new Map(views.map((view) => [view.id, view]));
  }

  private viewSimple(
    project: ProjectDocument,
    namespaces: ReadonlyMap<number, NamespaceDocument>,
  ): SimpleProject | undefined {
    const namespace = namespaces.get(project.namespaceId);
    if (!namespace) return undefined;
    const webUrl = `${this.baseUrl}/${project.fullPath}`;
    return {
      id: project._id,
      description: project.description,
      name: project.name,
      name_with_namespace: project.nameWithNamespace,
      path: project.path,
      path_with_namespace: project.fullPath,
      created_at: project.createdAt.toISOString(),
      default_branch: project.isEmptyRepo ? null : project.defaultBranch,
      tag_list: project.topics,
      topics: project.topics,
      ssh_url_to_repo: sshUrl(this.hostname, this.settings.SSH_PORT, project.fullPath),
      http_url_to_repo: `${webUrl}.git`,
      web_url: webUrl,
      readme_url: project.readmePath && `${webUrl}/-/blob/${encoded(`${project.defaultBranch}/${project.readmePath}`)}`,
      avatar_url: avatarUrlOf('project', project, this.baseUrl),
      forks_count: project.forksCount,
      star_count: project.starCount,
      last_activity_at: project.lastActivityAt.toISOString(),
      visibility: project.visibility,
      namespace: viewNamespace(namespace, this.baseUrl),
    };
  }

  private viewFull(
    project: ProjectDocument,
    caller: Caller,
    around: Surroundings,
    sources: ReadonlyMap<number, SimpleProject>,
  ): Project | undefined {
    const simple = this.viewSimple(project, around.namespaces);
    if (!simple) return undefined;
    const { grants } = around;
    const level = grants.levelInProject(project);
    const owner = project.ownerId === undefined ? undefined : around.owners.get(project.ownerId);
    const source = project.forkedFromId === undefined ? undefined : sources.get(project.forkedFromId);
    return this.shape.join(
      simple,
      {
        _links: this.links(project),
        empty_repo: project.isEmptyRepo,
        archived: project.isArchived,
        owner,
        creator_id: project.creatorId,
        open_issues_count: countOpenIssues(project, level),
        import_status: project.importStatus,
        import_error: project.importError,
        forked_from_project: source,
        shared_with_groups: around.shares.get(projectKey(project._id)) ?? [],
      },
      viewFeatures(project.features),
      settingsOf(project),
      {
        public_jobs: project.settings.public_builds,
        emails_enabled: !project.settings.emails_disabled,
        updated_at: project.updatedAt.toISOString(),
        container_registry_image_prefix: imagePrefix(this.settings, project.fullPath),
        container_expiration_policy: {
          ...project.containerExpirationPolicy,
          next_run_at: project.cleanupAt?.toISOString() ?? null,
        },
        can_create_merge_request_in: project.features.merge_requests !== 'disabled' && level >= Access.Developer,
        permissions: permissionsOf(project, around),
        runners_token: level >= Access.Maintainer ? this.runnersToken('project', project._id) : undefined,
        repository_storage: caller.isAdmin ? project.storage : undefined,
      },
    );
  }

  /** Derived from the instance's key, so it is not stored. */
  runnersToken(kind: 'project' | 'group', id: number): string {
    const digest = createHmac('sha256', this.settings.SECRET_KEY).update(`runners token of ${kind} ${id}`);
    return digest.digest('base64url').slice(0, 20);
  }

  private links({ _id }: ProjectDocument): Record<string, string> {
    const self = `${this.baseUrl}/api/v4/projects/${_id}`;
    return {
      self,
      issues: `${self}/issues`,
      merge_requests: `${self}/merge_requests`,
      repo_branches: `${self}/repository/branches`,
      labels: `${self}/labels`,
      events: `${self}/events`,
      members: `${self}/members`,
    };
  }
}

/** Reporters may read confidential issues, too. */
function countOpenIssues(
  { features, openIssues = { all: 0, confidential: 0 } }: ProjectDocument,
  level: AccessLevel,
): number | undefined {
  const { issues } = features;
  if (issues === 'disabled' || (issues === 'private' && level < Access.Guest)) return undefined;
  return openIssues.all - (level >= Access.Reporter ? 0 : openIssues.confidential);
}

/** Settings of newer versions are missing in older records. */
function settingsOf({ settings }: ProjectDocument): ProjectSettings {
  return settingNames.every((name) => name in settings) ? settings : { ...defaultProjectSettings, ...settings };
}

/** The short form of an SSH URL cannot have a port. */
const sshUrl = (hostname: string, port: number, fullPath: string): string =>
  port === 22 ? `git@${hostname}:${fullPath}.git` : `ssh://git@${hostname}:${port}/${fullPath}.git`;

const chainOfProject = ({ _id, groupIds }: Pick<Placement, '_id' | 'groupIds'>): SourceKey[] =>
  chainOf({ key: projectKey(_id), groupIds });

const isAt = (project: Placement, { namespaceId, groupIds, ownerId }: Placement): boolean =>
  project.namespaceId === namespaceId && project.ownerId === ownerId && project.groupIds.join() === groupIds.join();

function isReadableBy(grants: UserGrants, project: ProjectDocument): boolean {
  if (project.visibility === 'public' || grants.levelInProject(project) > Access.None) return true;
  return project.visibility === 'internal' && !grants.principal.isExternal;
}

const access = (level: AccessLevel, heard: NotificationLevel = 'global') =>
  level > Access.None ? { access_level: level, notification_level: notificationLevels.indexOf(heard) } : null;

function permissionsOf(project: ProjectDocument, { grants, notifications }: Surroundings) {
  const own = project.ownerId === grants.principal.userId ? Access.Maintainer : Access.None;
  const direct = Math.max(own, grants.highest([projectKey(project._id)])) as AccessLevel;
  const inGroups = grants.highest(project.groupIds.map(groupKey));
  return {
    project_access: access(direct, notifications.get(projectKey(project._id))),
    group_access: access(inGroups, notifications.get(groupKey(project.namespaceId))),
  };
}
