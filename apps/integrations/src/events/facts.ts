import { expiresAfter } from '@moothall/background';
import {
  branchProtection,
  callerInput,
  type EventRecord,
  type GroupRef,
  groupChanged,
  groupDeleted,
  groupRefs,
  labelsByIds,
  type PipelineHookDetails,
  type ProjectRef,
  pipelineHookDetails,
  projectChanged,
  projectDeleted,
  projectRefs,
} from '@moothall/contracts';
import { listen, natsConnection, OperationClient } from '@moothall/messaging';
import { settingsToken } from '@moothall/service';
import { UserDirectory, type UserRecord } from '@moothall/users';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { NatsConnection } from 'nats';
import type { IntegrationsSettings } from '../settings/settings';
import type { Payload } from './occurrence';
import { OptionalReads } from './optional-reads';

const keptProjects = 20_000;
/** Limits the effect of a lost event. */
const keptForMs = 60_000;
const nobody = callerInput(undefined);
const dropping = [projectChanged.name, projectDeleted.name, groupChanged.name, groupDeleted.name];
const visibilityLevels = { private: 0, internal: 10, public: 20 };

/** Projects, groups and users for payloads. */
@Injectable()
export class Facts implements OnApplicationShutdown {
  private readonly kept = new LRUCache<number, ProjectRef>({ max: keptProjects, ...expiresAfter(keptForMs) });
  private readonly optionalReads = new OptionalReads();
  private readonly stopListening: () => void;
  /** Incremented with each change, so that an older answer is not cached. */
  private changes = 0;
  private readonly url: URL;

  constructor(
    private readonly client: OperationClient,
    private readonly users: UserDirectory,
    @Inject(settingsToken) private readonly settings: IntegrationsSettings,
    @Inject(natsConnection) connection: NatsConnection,
  ) {
    this.url = new URL(settings.EXTERNAL_URL);
    this.stopListening = listen(
      connection,
      dropping,
      (event) => this.hear(event),
      () => this.forgetAll(),
    );
  }

  /** Null if it was deleted. */
  async project(id: number): Promise<ProjectRef | null> {
    const known = this.kept.get(id);
    if (known) return known;
    const before = this.changes;
    const [project] = await this.client.call(projectRefs, { ids: [id], ...nobody });
    if (project && this.changes === before) this.kept.set(id, project);
    return project ?? null;
  }

  private forgetAll(): void {
    this.changes += 1;
    this.kept.clear();
  }

  /** Paths of projects below a group contain its path. */
  private hear({ data }: EventRecord): void {
    this.changes += 1;
    const { project_id, group_id } = data as { project_id?: number; group_id?: number };
    if (project_id !== undefined) this.kept.delete(project_id);
    if (group_id === undefined) return;
    for (const [id, { groupIds }] of [...this.kept.entries()]) if (groupIds.includes(group_id)) this.kept.delete(id);
  }

  /** Null if it was deleted. */
  async group(id: number): Promise<GroupRef | null> {
    const [group] = await this.client.call(groupRefs, { ids: [id], ...nobody });
    return group ?? null;
  }

  async user(id: number | null): Promise<UserRecord | null> {
    return id === null ? null : ((await this.users.records([id])).get(id) ?? null);
  }

  /** Null if the storage of the project is unreachable: waiting would block all other events. */
  async isProtected(project: ProjectRef, branch: string): Promise<boolean | null> {
    const asked = { branches: [branch] };
    const found = await this.optionalReads.ask(`storage ${project.storage}`, () =>
      this.client.call(branchProtection, asked, { project }),
    );
    return found && (found[0]?.protected ?? false);
  }

  /** Only the ids of labels that were deleted, and of all labels if collaboration is unreachable. */
  async labels(ids: readonly number[]): Promise<Payload[]> {
    if (ids.length === 0) return [];
    const found = await this.optionalReads.ask('labels', () => this.client.call(labelsByIds, { ids: [...ids] }));
    const byId = new Map((found ?? []).map((label) => [label.id, label]));
    return ids.map((id) => byId.get(id) ?? { id });
  }

  /** Null if the pipeline was deleted or ci is unreachable. */
  pipeline(project: ProjectRef, pipeline_id: number): Promise<PipelineHookDetails | null> {
    return this.optionalReads.ask('pipelines', () =>
      this.client.call(pipelineHookDetails, { pipeline_id }, { project }),
    );
  }

  webUrl(fullPath: string, ...below: (string | number)[]): string {
    const base = this.settings.EXTERNAL_URL.replace(/\/$/, '');
    return [base, fullPath, ...below].join('/');
  }

  viewUser(user: UserRecord | null): Payload | null {
    if (!user) return null;
    const { id, name, username, avatar_url, public_email } = user;
    return { id, name, username, avatar_url, email: public_email || '[REDACTED]' };
  }

  viewProject(project: ProjectRef): Payload {
    const web_url = this.webUrl(project.fullPath);
    const git_ssh_url = this.sshUrl(project);
    const git_http_url = `${web_url}.git`;
    return {
      id: project.id,
      name: project.name,
      description: project.description,
      web_url,
      avatar_url: null,
      git_ssh_url,
      git_http_url,
      namespace: project.nameWithNamespace.split(' / ').slice(0, -1).join(' / '),
      visibility_level: visibilityLevels[project.visibility],
      path_with_namespace: project.fullPath,
      default_branch: project.defaultBranch,
      ci_config_path: null,
      homepage: web_url,
      url: git_ssh_url,
      ssh_url: git_ssh_url,
      http_url: git_http_url,
    };
  }

  viewRepository(project: ProjectRef): Payload {
    const homepage = this.webUrl(project.fullPath);
    return {
      name: project.name,
      url: this.sshUrl(project),
      description: project.description,
      homepage,
      git_http_url: `${homepage}.git`,
      git_ssh_url: this.sshUrl(project),
      visibility_level: visibilityLevels[project.visibility],
    };
  }

  private sshUrl({ fullPath }: ProjectRef): string {
    const { hostname } = this.url;
    const port = this.settings.SSH_PORT;
    return port === 22 ? `git@${hostname}:${fullPath}.git` : `ssh://git@${hostname}:${port}/${fullPath}.git`;
  }

  onApplicationShutdown(): void {
    this.stopListening();
  }
}
