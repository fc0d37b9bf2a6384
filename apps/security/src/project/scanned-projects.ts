import {
  type Caller,
  callerInput,
  forbidden,
  groupRefs,
  isError,
  isReadable,
  type ProjectRef,
  projectErrors,
  projectRefs,
  reaches,
  readableProjects,
  resolveProject,
  vulnerabilityLevel,
} from '@moothall/contracts';
import { OperationClient } from '@moothall/messaging';
import { Injectable } from '@nestjs/common';

/** The fields of the caller that access levels depend on. */
export type Principal = Pick<Caller, 'id' | 'isAdmin' | 'isExternal'>;

export type VulnerabilityAbility = 'read_vulnerability' | 'admin_vulnerability';

const refsPerCall = 1_000;
const projectsPerCall = 10_000;

/** The projects of vulnerabilities, and access to them. See docs/api/vulnerabilities.md#1. */
@Injectable()
export class ScannedProjects {
  constructor(private readonly client: OperationClient) {}

  /** A project whose vulnerabilities the caller may see, or change. @throws project.not_found, common.forbidden */
  async open(projectId: number, principal: Principal, ability: VulnerabilityAbility): Promise<ProjectRef> {
    const { project } = await this.client.call(resolveProject, {
      project: String(projectId),
      ...callerInput(principal),
    });
    if (!isReadable(project, principal)) throw projectErrors.notFound();
    if (!reaches(project, vulnerabilityLevel, ability)) throw forbidden();
    return project;
  }

  async isThere(projectId: number): Promise<boolean> {
    try {
      await this.client.call(resolveProject, { project: String(projectId), ...callerInput(undefined) });
      return true;
    } catch (error) {
      if (isError(error, projectErrors.notFound)) return false;
      throw error;
    }
  }

  /** Whether the caller may see the vulnerabilities of a project or group; false for neither. */
  async sees(
    { projectId, groupId }: { projectId: number | null; groupId: number | null },
    principal: Principal,
  ): Promise<boolean> {
    if (projectId !== null) return (await this.openAmong([projectId], principal)).length > 0;
    if (groupId === null) return true;
    const [group] = await this.client.call(groupRefs, { ids: [groupId], ...callerInput(principal) });
    return group !== undefined && seesThere(group);
  }

  /** The projects whose vulnerabilities the caller may see, by id. */
  async openAmong(ids: readonly number[], principal: Principal): Promise<ProjectRef[]> {
    const open: ProjectRef[] = [];
    for (let from = 0; from < ids.length; from += refsPerCall) {
      const some = await this.client.call(projectRefs, {
        ids: ids.slice(from, from + refsPerCall),
        ...callerInput(principal),
      });
      open.push(...some.filter(seesThere));
    }
    return open.sort((a, b) => a.id - b.id);
  }

  /** Ids of projects below a group whose vulnerabilities the caller may see. */
  async openBelow(groupId: number, principal: Principal): Promise<number[]> {
    const open: number[] = [];
    for (let afterId = 0; ; ) {
      const asked = { ...callerInput(principal), group_id: groupId, after_id: afterId, limit: projectsPerCall };
      const some = await this.client.call(readableProjects, asked);
      open.push(...some.filter(seesThere).map(({ id }) => id));
      if (some.length < projectsPerCall) return open;
      afterId = Math.max(...some.map(({ id }) => id));
    }
  }
}

const seesThere = (target: Pick<ProjectRef, 'accessLevel' | 'abilities'>): boolean =>
  reaches(target, vulnerabilityLevel, 'read_vulnerability');
