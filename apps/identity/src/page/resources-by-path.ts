import {
  type Caller,
  callerInput,
  commonErrors,
  groupErrors,
  isError,
  isReadable,
  projectErrors,
  resolveGroup,
  resolveProject,
} from '@moothall/contracts';
import { KnownSettings, OperationClient } from '@moothall/messaging';
import { Injectable } from '@nestjs/common';
import { callerOf } from '../user/caller';
import { Users } from '../user/user.repository';
import type { User } from '../user/user.schema';

/** The resource at an address, if the visitor may see it. */
export interface LinkedResource {
  kind: 'project' | 'group' | 'user';
  title: string;
  description: string | null;
  fullPath: string;
  /** URL in the API. */
  record: string;
}

/** Resolves the `web_url` of a project, a group or a user, and of resources in a project. */
@Injectable()
export class ResourcesByPath {
  constructor(
    private readonly users: Users,
    private readonly settings: KnownSettings,
    private readonly operations: OperationClient,
  ) {}

  /** @param path as requested by a browser; @returns undefined also for a resource that the visitor may not see */
  async find(path: string, user: User | null): Promise<LinkedResource | undefined> {
    const resourcePath = resourcePathOf(path);
    if (resourcePath === undefined) return undefined;
    const caller = user ? callerOf(user, { credential: 'session', scopes: [] }) : undefined;
    const [, group] = /^groups\/(.+)$/.exec(resourcePath) ?? [];
    if (group !== undefined) return this.group(group, caller);
    if (!resourcePath.includes('/')) return (await this.user(resourcePath, caller)) ?? this.group(resourcePath, caller);
    return (await this.project(resourcePath, caller)) ?? this.group(resourcePath, caller);
  }

  private async project(fullPath: string, caller: Caller | undefined): Promise<LinkedResource | undefined> {
    const asked = this.operations.call(resolveProject, { project: fullPath, ...callerInput(caller) });
    const project = (await asked.catch(unlessAbsent))?.project;
    if (!project || !isReadable(project, caller)) return undefined;
    const { id, nameWithNamespace: title, description } = project;
    return { kind: 'project', title, description, fullPath: project.fullPath, record: `/api/v4/projects/${id}` };
  }

  private async group(fullPath: string, caller: Caller | undefined): Promise<LinkedResource | undefined> {
    const asked = this.operations.call(resolveGroup, { group: fullPath, ...callerInput(caller) });
    const group = (await asked.catch(unlessAbsent))?.group;
    if (!group || !isReadable(group, caller)) return undefined;
    const { id, fullName: title } = group;
    return { kind: 'group', title, description: null, fullPath: group.fullPath, record: `/api/v4/groups/${id}` };
  }

  /** With the same rule as the API: users are public, unless nothing is public on this instance. */
  private async user(username: string, caller: Caller | undefined): Promise<LinkedResource | undefined> {
    const user = await this.users.findByUsername(username);
    if (!user || (!caller && (await this.isNothingPublic()))) return undefined;
    const { _id, name: title, username: fullPath } = user;
    return { kind: 'user', title, description: null, fullPath, record: `/api/v4/users/${_id}` };
  }

  private async isNothingPublic(): Promise<boolean> {
    return (await this.settings.read()).restricted_visibility_levels.includes('public');
  }
}

const absences = [commonErrors.notFound, groupErrors.notFound, projectErrors.notFound];

function unlessAbsent(error: unknown): undefined {
  if (!absences.some((absence) => isError(error, absence))) throw error;
}

/** `/group/project/-/issues/1` is in `group/project`. */
function resourcePathOf(path: string): string | undefined {
  const [address = ''] = path.split(/[?#]/, 1);
  const [resourcePath = ''] = address.replace(/^\/+/, '').split('/-/', 1);
  try {
    const text = decodeURIComponent(resourcePath).replace(/(?<!\/)\/+$/, '');
    // Digits would be read as an id.
    return text !== '' && !/^(groups\/)?\d+$/.test(text) ? text : undefined;
  } catch {
    return undefined;
  }
}
