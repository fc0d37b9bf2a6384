import {
  type ContextOf,
  listGroupProjects,
  listProjects,
  listProjectsSharedWithGroup,
  listStarredProjects,
  listUserProjects,
  namedNotFound,
  type Page,
  type ParsedOf,
  type Project,
} from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { Namespaces } from '../../namespace/namespace.repository';
import type { NamespaceDocument } from '../../namespace/namespace.schema';
import { Shares } from '../../share/share.repository';
import { Stars } from '../../star/star.repository';
import { ProjectLists } from '../project-lists';

type KeysetInput = ParsedOf<typeof listProjects>;

/** Lists of projects: all that the caller may read, those of a user, those of a group. */
@Controller()
export class ListProjects {
  constructor(
    private readonly namespaces: Namespaces,
    private readonly shares: Shares,
    private readonly stars: Stars,
    private readonly lists: ProjectLists,
  ) {}

  @Handles(listProjects)
  async listAll(context: ContextOf<typeof listProjects>, input: KeysetInput): Promise<Page<Project>> {
    return this.lists.list({}, context, input);
  }

  @Handles(listUserProjects)
  async listOfUser(
    context: ContextOf<typeof listUserProjects>,
    input: ParsedOf<typeof listUserProjects>,
  ): Promise<Page<Project>> {
    const namespace = await this.userNamespace(input.user_id);
    return this.lists.list({ namespaceId: namespace._id }, context, input);
  }

  @Handles(listGroupProjects)
  async listOfGroup(
    context: ContextOf<typeof listGroupProjects>,
    input: ParsedOf<typeof listGroupProjects>,
  ): Promise<Page<Project>> {
    const { group } = context;
    const inside = input.include_subgroups ? { groupIds: group.id } : { namespaceId: group.id };
    if (!input.with_shared) return this.lists.list(inside, context, input);
    const shared = await this.shares.projectsSharedWith(group.id);
    return this.lists.list(shared.length > 0 ? { $or: [inside, { _id: { $in: shared } }] } : inside, context, input);
  }

  @Handles(listProjectsSharedWithGroup)
  async sharedWithGroup(
    context: ContextOf<typeof listProjectsSharedWithGroup>,
    input: ParsedOf<typeof listProjectsSharedWithGroup>,
  ): Promise<Page<Project>> {
    const shared = await this.shares.projectsSharedWith(context.group.id);
    return this.lists.list({ _id: { $in: shared } }, context, input);
  }

  @Handles(listStarredProjects)
  async starredBy(
    context: ContextOf<typeof listStarredProjects>,
    input: ParsedOf<typeof listStarredProjects>,
  ): Promise<Page<Project>> {
    const { ownerId } = await this.userNamespace(input.user_id);
    const starred = ownerId === undefined ? [] : await this.stars.projectsOf(ownerId);
    return this.lists.list({ _id: { $in: starred } }, context, input);
  }

  /** By id or name of the user. */
  private async userNamespace(user: string): Promise<NamespaceDocument> {
    const isId = /^\d+$/.test(user);
    const namespace = isId ? await this.namespaces.findOfUser(Number(user)) : await this.namespaces.findByPath(user);
    if (namespace?.kind !== 'user') throw namedNotFound('User');
    return namespace;
  }
}
