import { type ContextOf, listMemberships, type Membership, type ParsedOf } from '@moothall/contracts';
import { findPage } from '@moothall/database';
import { Handles } from '@moothall/messaging';
import { UserDirectory } from '@moothall/users';
import { Controller } from '@nestjs/common';
import type { QueryFilter } from 'mongoose';
import { today } from '../../access/grants';
import { Namespaces } from '../../namespace/namespace.repository';
import { Projects } from '../../project/project.repository';
import { Members } from '../member.repository';
import type { MemberDocument } from '../member.schema';
import { keyParts } from '../source';

const kinds = { Project: 'project', Namespace: 'group' } as const;

/** Direct memberships of a user. See docs/api/members.md#3. */
@Controller()
export class ListMemberships {
  constructor(
    private readonly members: Members,
    private readonly namespaces: Namespaces,
    private readonly projects: Projects,
    private readonly users: UserDirectory,
  ) {}

  @Handles(listMemberships)
  async list(_context: ContextOf<typeof listMemberships>, { id, type, ...input }: ParsedOf<typeof listMemberships>) {
    await this.users.get(id);
    const current = { $or: [{ expiresAt: null }, { expiresAt: { $gt: today() } }] };
    const ofKind = type && { source: { $regex: `^${kinds[type]}:` } };
    const filter: QueryFilter<MemberDocument> = { userId: id, ...current, ...ofKind };
    const { items, total } = await findPage(this.members.model, filter, { source: 1 }, input);
    return { items: await this.view(items), total };
  }

  /** Without projects and groups that are being deleted. */
  private async view(members: MemberDocument[]): Promise<Membership[]> {
    const sources = members.map(({ source, accessLevel }) => ({ ...keyParts(source), accessLevel }));
    const idsOf = (wanted: 'project' | 'group') => sources.flatMap(({ kind, id }) => (kind === wanted ? id : []));
    const [projects, groups] = await Promise.all([
      this.projects.findByIds(idsOf('project')),
      this.namespaces.findByIds(idsOf('group')),
    ]);
    const projectNames = new Map(projects.map(({ _id, name }) => [_id, name]));
    return sources.flatMap(({ kind, id, accessLevel }) => {
      const name = kind === 'project' ? projectNames.get(id) : groups.get(id)?.name;
      if (name === undefined) return [];
      const source_type = kind === 'project' ? 'Project' : 'Namespace';
      return { source_id: id, source_name: name, source_type, access_level: accessLevel };
    });
  }
}
