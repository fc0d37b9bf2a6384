import { ResourceResolver, requireProject } from '@moothall/access';
import {
  Access,
  type AnyScope,
  type Caller,
  commonErrors,
  gitExchange,
  type gitServices,
  nodeScope,
  onProject,
  type ProjectRef,
  type ProjectRule,
} from '@moothall/contracts';
import { Injectable } from '@nestjs/common';

type Service = (typeof gitServices)[number];

/** The repository and the service that a git client requests, over HTTP or SSH. */
export interface GitTarget {
  /** Full path of the project. */
  path: string;
  repository: 'project' | 'wiki';
  service: Service;
}

/** Kind of repository in calls between services. */
export const kindOf = ({ repository }: GitTarget): 'code' | 'wiki' => (repository === 'wiki' ? 'wiki' : 'code');

/** Its path in URLs, without `.git`. */
export const nameOf = ({ path, repository }: GitTarget): string => (repository === 'wiki' ? `${path}.wiki` : path);

/** A deploy key and its access. */
export interface DeployKey {
  id: number;
  projects: { project_id: number; can_push: boolean }[];
}

/** A user or a deploy key; neither for an anonymous client. */
type Holder = { caller?: Caller | undefined; deployKey?: DeployKey | undefined };

const toFetch = { levelInPrivate: Access.Reporter, ability: 'read_code', anonymous: true } as const;
const rules: Record<Service, Record<GitTarget['repository'], ProjectRule>> = {
  'git-upload-pack': {
    project: onProject({ feature: 'repository', ...toFetch }),
    wiki: onProject({ feature: 'wiki', anonymous: true }),
  },
  'git-receive-pack': {
    project: onProject({ feature: 'repository', level: Access.Developer }),
    wiki: onProject({ feature: 'wiki', level: Access.Developer }),
  },
};
const scopes: Record<Service, AnyScope[]> = {
  'git-upload-pack': ['api', 'read_api', 'read_repository', 'write_repository', nodeScope],
  'git-receive-pack': ['api', 'write_repository'],
};

/** Decides who may clone, fetch and push: the same over HTTP and SSH. */
@Injectable()
export class GitAccess {
  constructor(private readonly resources: ResourceResolver) {}

  /**
   * @throws the errors of requireProject; 404 for a project that does not accept the job token; 403 for tokens without
   *   the scope, and for pushes to archived projects
   */
  async requireForCaller(asked: GitTarget, caller: Caller | undefined): Promise<ProjectRef> {
    const project = await this.resources.resolveProject(asked.path, caller);
    requireProject(rules[asked.service][asked.repository], project, caller, gitExchange);
    if (caller && !hasScopeFor(asked, caller)) throw commonErrors.forbidden();
    return requireUnarchived(asked, project);
  }

  /** @throws the errors for a user, or for a deploy key */
  requireForHolder(asked: GitTarget, { caller, deployKey }: Holder): Promise<ProjectRef> {
    return deployKey ? this.requireForDeployKey(asked, deployKey) : this.requireForCaller(asked, caller);
  }

  /** A deploy key has access to its own projects only, and may push where it was allowed. @throws 404, 403 */
  async requireForDeployKey(asked: GitTarget, key: DeployKey): Promise<ProjectRef> {
    const project = await this.resources.resolveProject(asked.path, undefined);
    const grant = key.projects.find(({ project_id }) => project_id === project.id);
    if (!grant) throw commonErrors.notFound();
    const accessLevel = grant.can_push ? Access.Developer : Access.Reporter;
    const opened = { ...project, accessLevel };
    requireProject(rules[asked.service][asked.repository], opened, undefined, gitExchange);
    return requireUnarchived(asked, opened);
  }
}

/** An SSH key is no token: it has the rights of its user. */
export const hasScopeFor = ({ service }: GitTarget, { credential, scopes: own }: Caller): boolean =>
  credential === 'ssh_key' || own.some((scope) => scopes[service].includes(scope));

function requireUnarchived(asked: GitTarget, project: ProjectRef): ProjectRef {
  if (asked.service === 'git-receive-pack' && project.isArchived) throw commonErrors.forbidden();
  return project;
}
