import {
  Access,
  type ContextOf,
  importProjectMembers,
  isError,
  memberErrors,
  type ParsedOf,
  type ProjectRef,
  projectErrors,
} from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { Grants, isCurrent, principalOf } from '../../access/grants';
import { Projects } from '../../project/project.repository';
import { Members } from '../member.repository';
import type { MemberDocument } from '../member.schema';
import { chainOf, projectKey } from '../source';

/** Copies the direct members of one project to another. */
@Controller()
export class ImportMembers {
  constructor(
    private readonly projects: Projects,
    private readonly members: Members,
    private readonly grants: Grants,
  ) {}

  @Handles(importProjectMembers)
  async handle(
    { project, caller }: ContextOf<typeof importProjectMembers>,
    input: ParsedOf<typeof importProjectMembers>,
  ): Promise<{ status: string }> {
    const { project: other } = await this.projects.resolve(input.source_id);
    const from = projectKey(other._id);
    const chain = chainOf({ key: from, groupIds: other.groupIds });
    // A caller who may not manage members of the other project may not copy them, and must not learn that it exists.
    if ((await this.grants.findLevelsWithin(principalOf(caller), chain)).levelInProject(other) < Access.Maintainer) {
      throw projectErrors.notFound();
    }
    const found = await this.members.model.find({ source: from }).lean<MemberDocument[]>();
    for (const member of found.filter(({ expiresAt }) => isCurrent(expiresAt))) {
      await this.copy(member, project, caller.id);
    }
    return { status: 'success' };
  }

  /** The rule about granting levels applies here, too. */
  private async copy({ userId, expiresAt, ...member }: MemberDocument, to: ProjectRef, createdById: number) {
    const accessLevel = Math.min(member.accessLevel, to.accessLevel);
    const copy = { source: projectKey(to.id), userId, accessLevel, expiresAt, createdById };
    await this.members.add(copy).catch((error: unknown) => {
      if (!isError(error, memberErrors.exists)) throw error;
    });
  }
}
