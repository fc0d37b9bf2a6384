import {
  type ContextOf,
  listGroupProjects,
  listProjects,
  listUserProjects,
  namedNotFound,
  type Page,
  type ParsedOf,
  type Project,
} from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { Namespaces } from '../namespace/namespace.repository';
import { Shares } from '../share/share.repository';
import { ProjectLists } from './project-lists';

type KeysetInput = ParsedOf<typeof listProjects>;

/** Lists of projects: all that one reads, those of a user, those of a group. */
@Controller()
export class ListProjects {
  constructor(
    private readonly namespaces: Namespaces,
    private readonly shares: Shares,
    private readonly lists: ProjectLists,
  ) {}

  @Handles(listProjects)
  async all(context: ContextOf<typeof listProjects>, input: KeysetInput): Promise<Page<Project>> {
    return this.lists.list({}, context, input);
  }

  @Handles(listUserProjects)
  async ofUser(
    context: ContextOf<typeof listUserProjects>,
    input: ParsedOf<typeof listUserProjects>,
  ): Promise<Page<Project>> {
    const isId = /^\d+$/.test(input.user_id);
    const namespace = isId
      ? await this.namespaces.ofUser(Number(input.user_id))
      : await this.namespaces.findByPath(input.user_id);
    if (namespace?.kind !== 'user') throw namedNotFound('User');
    return this.lists.list({ namespaceId: namespace._id }, context, input);
  }

  @Handles(listGroupProjects)
  async ofGroup(
    context: ContextOf<typeof listGroupProjects>,
    input: ParsedOf<typeof listGroupProjects>,
  ): Promise<Page<Project>> {
    const { group } = context;
    const inside = input.include_subgroups ? { groupIds: group.id } : { namespaceId: group.id };
    if (!input.with_shared) return this.lists.list(inside, context, input);
    const shared = await this.shares.projectsSharedWith(group.id);
    return this.lists.list(shared.length > 0 ? { $or: [inside, { _id: { $in: shared } }] } : inside, context, input);
  }
}
