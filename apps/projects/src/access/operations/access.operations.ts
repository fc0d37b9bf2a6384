import {
  Access,
  type ContextOf,
  descendantGroups,
  type GroupRef,
  groupRefs,
  type InputOf,
  isReadable,
  memberLevels,
  type OutputOf,
  type ParsedOf,
  type ProjectRef,
  present,
  projectRefs,
  readableProjects,
  resolveGroup,
  resolveProject,
  templateProjects,
} from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { JobTokenScopes } from '../../job-token-scope/job-token-scopes';
import { chainOf, groupKey, projectKey, type SourceKey } from '../../member/source';
import { groupRefOf } from '../../namespace/group-ref';
import { Namespaces } from '../../namespace/namespace.repository';
import { Projects, readableBy } from '../../project/project.repository';
import type { ProjectDocument } from '../../project/project.schema';
import { featuresOfRef, projectRefOf } from '../../project/project-ref';
import { Grants, type Principal } from '../grants';

/** The chain of a missing record, for which the same is read as for others: ids begin with 1. */
const nowhere = [projectKey(0)];

/**
 * Answers the gateway and other services: what is this record, and what may the user do there? Hidden records take as
 * many database commands as missing ones, so that the response time does not distinguish them. See
 * docs/api/access.md#2.
 */
@Controller()
export class AccessOperations {
  constructor(
    private readonly projects: Projects,
    private readonly namespaces: Namespaces,
    private readonly grants: Grants,
    private readonly jobTokenScopes: JobTokenScopes,
  ) {}

  @Handles(resolveProject)
  async project(_: ContextOf<typeof resolveProject>, input: ParsedOf<typeof resolveProject>) {
    const principal = principalIn(input);
    const { project, redirected } = await this.projects.resolve(input.project).catch(async (error: unknown) => {
      await this.projects.lookAsForMoved(input.project, 'formerly');
      await this.grants.findLevelsWithin(principal, nowhere);
      throw error;
    });
    const grants = await this.grants.findLevelsWithin(principal, projectChain(project));
    const ref = projectRefOf(project, grants.levelInProject(project), grants.abilitiesInProject(project));
    if (isClosed(ref, principal) && !redirected) await this.projects.lookAsForMoved(input.project);
    const jobProjectId = input.job_project_id;
    if (jobProjectId === undefined || jobProjectId === ref.id) return { project: ref, redirected };
    if (await this.letsInJobsOf(jobProjectId, ref.id)) return { project: ref, redirected, opens_for_job: true };
    // A job of another project gets public access, and no more than that.
    const asOthers = { ...ref, accessLevel: Access.None, abilities: [] };
    return { project: asOthers, redirected, opens_for_job: ref.visibility === 'public' };
  }

  private async letsInJobsOf(jobProjectId: number, projectId: number): Promise<boolean> {
    const [job] = await this.projects.findByIds([jobProjectId]);
    return job !== undefined && this.jobTokenScopes.letsIn(projectId, job);
  }

  @Handles(resolveGroup)
  async group(_: ContextOf<typeof resolveGroup>, input: ParsedOf<typeof resolveGroup>) {
    const principal = principalIn(input);
    const { group, redirected } = await this.namespaces.resolveGroup(input.group).catch(async (error: unknown) => {
      await this.namespaces.lookAsForMoved(input.group, 'formerly');
      await this.grants.findLevelsWithin(principal, nowhere);
      if (principal.userId !== null) await this.readsProjectIn(0, principal);
      throw error;
    });
    const chain = chainOf({ key: groupKey(group._id), groupIds: group.ancestorIds });
    const grants = await this.grants.findLevelsWithin(principal, chain);
    const ref = groupRefOf(group, grants.levelInGroup(group), grants.abilitiesInGroup(group));
    if (isClosed(ref, principal) && !redirected) await this.namespaces.lookAsForMoved(input.group);
    const readsBelow = isHidden(ref, principal) && (await this.readsProjectIn(group._id, principal));
    return { group: { ...ref, ...(readsBelow && { readsBelow }) }, redirected };
  }

  /** Readers of a project may see its groups, as in v4. */
  private async readsProjectIn(groupId: number, principal: Principal): Promise<boolean> {
    const readable = readableBy(await this.grants.findLevels(principal));
    return (await this.projects.model.exists({ $and: [{ groupIds: groupId }, readable] })) !== null;
  }

  @Handles(projectRefs)
  async projectRefs(_: ContextOf<typeof projectRefs>, input: ParsedOf<typeof projectRefs>) {
    const [projects, grants] = await Promise.all([
      this.projects.findByIds(input.ids),
      this.grants.findLevels(principalIn(input)),
    ]);
    return projects.map((project) =>
      projectRefOf(project, grants.levelInProject(project), grants.abilitiesInProject(project)),
    );
  }

  /** A project that was moved away, or that an imported group names by coincidence, does not belong to the group. */
  @Handles(templateProjects)
  async templateProjects(_: ContextOf<typeof templateProjects>, { group_ids }: ParsedOf<typeof templateProjects>) {
    const groups = await this.namespaces.findByIds(group_ids);
    const named = group_ids.flatMap((groupId) => {
      const projectId = groups.get(groupId)?.settings?.file_template_project_id;
      return projectId ? [{ groupId, projectId }] : [];
    });
    const projects = await this.projects.findByIds(named.map(({ projectId }) => projectId));
    return named.flatMap(({ groupId, projectId }) => {
      const project = projects.find(({ _id, groupIds }) => _id === projectId && groupIds.includes(groupId));
      return project ? [projectRefOf(project, Access.Reporter)] : [];
    });
  }

  @Handles(groupRefs)
  async groupRefs(_: ContextOf<typeof groupRefs>, input: ParsedOf<typeof groupRefs>) {
    const [groups, grants] = await Promise.all([
      this.namespaces.findByIds(input.ids),
      this.grants.findLevels(principalIn(input)),
    ]);
    return [...groups.values()]
      .filter((group) => group.kind === 'group')
      .map((group) => groupRefOf(group, grants.levelInGroup(group), grants.abilitiesInGroup(group)));
  }

  @Handles(readableProjects)
  async readable(
    _: ContextOf<typeof readableProjects>,
    input: ParsedOf<typeof readableProjects>,
  ): Promise<OutputOf<typeof readableProjects>> {
    const grants = await this.grants.findLevels(principalIn(input));
    const filter = {
      ...readableBy(grants),
      _id: { $gt: input.after_id },
      ...(input.group_id && { groupIds: input.group_id }),
      ...(!input.include_archived && { isArchived: false }),
    };
    const fields = { visibility: 1, features: 1, groupIds: 1, ownerId: 1 } as const;
    const projects = await this.projects.model
      .find(filter, fields)
      .sort({ _id: 1 })
      .limit(input.limit)
      .lean<ProjectDocument[]>();
    return projects.map((project) => ({
      id: project._id,
      visibility: project.visibility,
      accessLevel: grants.levelInProject(project),
      abilities: grants.abilitiesInProject(project),
      features: featuresOfRef(project),
    }));
  }

  @Handles(descendantGroups)
  async descendants(_: ContextOf<typeof descendantGroups>, input: ParsedOf<typeof descendantGroups>) {
    return this.namespaces.listWithDescendants(input.group_id);
  }

  @Handles(memberLevels)
  async levels(
    _: ContextOf<typeof memberLevels>,
    input: ParsedOf<typeof memberLevels>,
  ): Promise<OutputOf<typeof memberLevels>> {
    const { chain, ownerId } = await this.findChain(input);
    const levels = await this.grants.findLevelsOfUsers(chain, input.user_ids);
    if (ownerId !== undefined && (input.user_ids?.includes(ownerId) ?? true)) levels.set(ownerId, 50);
    return [...levels].map(([user_id, access_level]) => ({ user_id, access_level }));
  }

  private async findChain(
    input: InputOf<typeof memberLevels>,
  ): Promise<{ chain: SourceKey[]; ownerId?: number | undefined }> {
    if (input.project_id !== undefined) {
      const project = await this.projects.get(input.project_id);
      return { chain: projectChain(project), ownerId: project.ownerId };
    }
    const group = await this.namespaces.getGroup(present(input.group_id, 'a project or group'));
    return { chain: chainOf({ key: groupKey(group._id), groupIds: group.ancestorIds }) };
  }
}

const principalIn = (input: Omit<ParsedOf<typeof resolveProject>, 'project'>): Principal => ({
  userId: input.user_id,
  isAdmin: input.is_admin,
  isExternal: input.is_external,
  opens: input.opens,
});

const projectChain = (project: ProjectDocument): SourceKey[] =>
  chainOf({ key: projectKey(project._id), groupIds: project.groupIds });

const isClosed = (target: GroupRef | ProjectRef, { userId, isExternal }: Principal): boolean =>
  !isReadable(target, userId === null ? undefined : { isExternal });

/** Anonymous callers do not see groups through a project; signed-in users do. */
const isHidden = (group: GroupRef, { userId, isExternal }: Principal): boolean =>
  userId !== null && !isReadable(group, { isExternal });
