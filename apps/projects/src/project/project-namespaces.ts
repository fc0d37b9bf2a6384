import { type Caller, projectErrors } from '@moothall/contracts';
import type { UserRecord } from '@moothall/users';
import { Injectable } from '@nestjs/common';
import { Grants, principalOf } from '../access/grants';
import { groupKey } from '../member/source';
import { Namespaces } from '../namespace/namespace.repository';
import type { NamespaceDocument } from '../namespace/namespace.schema';
import { UserNamespaces } from '../namespace/user-namespaces';
import { requireMayCreateIn } from './new-project';
import { Projects } from './project.repository';

/** Checks where a user may create a project. */
@Injectable()
export class ProjectNamespaces {
  constructor(
    private readonly projects: Projects,
    private readonly namespaces: Namespaces,
    private readonly userNamespaces: UserNamespaces,
    private readonly grants: Grants,
  ) {}

  /** The requested namespace, if the caller may create projects there; by default that of the owner. */
  async find(owner: UserRecord, caller: Caller, namespaceId?: number | null): Promise<NamespaceDocument> {
    const own = await this.userNamespaces.ensure(owner);
    const namespace = namespaceId ? await this.namespaces.find(namespaceId) : own;
    if (!namespace || namespace.isMoving) throw projectErrors.namespaceNotValid();
    if (namespace.kind === 'group') {
      const grants = await this.grants.findLevelsWithin(
        principalOf(caller),
        [namespace._id, ...namespace.ancestorIds].map(groupKey),
      );
      requireMayCreateIn(namespace, grants.levelInGroup(namespace), caller.isAdmin);
    } else if ((namespace._id !== own._id && !caller.isAdmin) || caller.isExternal) {
      throw projectErrors.namespaceNotValid();
    }
    return namespace;
  }

  /** Id of a namespace by id or path; null if there is none. */
  async findId(wanted: number | string): Promise<number | null> {
    if (/^\d+$/.test(String(wanted))) return Number(wanted);
    return (await this.namespaces.findByPath(String(wanted)))?._id ?? null;
  }

  async requireBelowLimit({ id, projects_limit }: UserRecord): Promise<void> {
    const count = await this.projects.model.countDocuments({ ownerId: id });
    if (count < projects_limit) return;
    throw projectErrors.limitReached({
      limit_reached: [
        projects_limit === 0
          ? 'You cannot create projects in your personal namespace. Contact your administrator.'
          : `Your project limit is ${projects_limit} projects! Please contact your administrator to increase it`,
      ],
    });
  }
}
