import {
  Access,
  type Caller,
  callerInput,
  type EventRecord,
  type GroupRef,
  groupChanged,
  groupDeleted,
  isReadable,
  memberChanged,
  namedNotFound,
  opensForJob,
  type ProjectRef,
  projectChanged,
  projectDeleted,
  resolveGroup,
  resolveProject,
  userChanged,
  userDeleted,
} from '@moothall/contracts';
import { RecordsClient } from '@moothall/messaging';
import { Injectable } from '@nestjs/common';
import { EventedCache } from './evented-cache';

const cacheOptions = { max: 50_000, seconds: 60 };
const groupEvents = new Set([groupChanged.name, groupDeleted.name]);
const projectEvents = new Set([projectChanged.name, projectDeleted.name]);
const userEvents = new Set([userChanged.name, userDeleted.name]);

/**
 * Resolves `:id` below `/projects/:id` or `/groups/:id` to the record and the caller's level, from the projects
 * service.
 */
@Injectable()
export class ResourceResolver {
  private readonly projects: EventedCache<{ project: ProjectRef }>;
  private readonly groups: EventedCache<{ group: GroupRef }>;

  constructor(private readonly records: RecordsClient) {
    const options = records.areElsewhere ? { ...cacheOptions, seconds: 0 } : cacheOptions;
    this.projects = new EventedCache(options);
    this.groups = new EventedCache(options);
  }

  /** @throws project.not_found, also for a project that does not accept the job token */
  async resolveProject(id: string, caller: Caller | undefined): Promise<ProjectRef> {
    const ask = () => this.records.call(resolveProject, { project: id, ...callerInput(caller) });
    // Missing and hidden projects are both not cached: otherwise the response time would distinguish them.
    const known = await this.projects.get(keyOf(id, caller), ask, ({ project }) => isReadable(project, caller));
    if (caller?.projectId === undefined || caller.projectId === known.project.id) return known.project;
    // The allowlist of job tokens depends on more than events report, so it is not cached for other projects.
    const answer = await ask();
    if (!opensForJob(caller, answer)) throw namedNotFound('Project');
    return answer.project;
  }

  /** @throws group.not_found */
  async resolveGroup(id: string, caller: Caller | undefined): Promise<GroupRef> {
    const ask = () => this.records.call(resolveGroup, { group: id, ...callerInput(caller) });
    const { group } = await this.groups.get(keyOf(id, caller), ask, ({ group }) => isReadable(group, caller));
    return group;
  }

  onEvent(event: EventRecord): void {
    const data = event.data as { project_id: number; source_type: string; source_id: number };
    if (projectEvents.has(event.name)) this.forgetProject(data.project_id);
    if (event.name === memberChanged.name && data.source_type === 'project') this.forgetProject(data.source_id);
    // A group's path, visibility and members affect everything below it, and change rarely.
    else if (event.name === memberChanged.name || groupEvents.has(event.name) || userEvents.has(event.name))
      this.forgetAll();
  }

  /** Also drops groups above, whose visibility may depend on a project that a caller may read. */
  forgetProject(id: number): void {
    this.projects.drop(({ project }) => project.id === id);
    this.groups.drop(({ group }) => group.accessLevel === Access.None && group.visibility !== 'public');
  }

  /** Without what is below it, which events report. */
  forgetGroup(id: number): void {
    this.groups.drop(({ group }) => group.id === id);
  }

  forgetAll(): void {
    this.projects.clear();
    this.groups.clear();
  }
}

const keyOf = (id: string, caller: Caller | undefined): string =>
  `${caller?.id ?? ''} ${caller?.isAdmin ?? ''} ${caller?.projectId ?? ''} ${id}`;
