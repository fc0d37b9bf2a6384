import {
  type ContextOf,
  createFeatureFlagUserList,
  deleteFeatureFlagUserList,
  featureFlagErrors,
  getFeatureFlagUserList,
  listFeatureFlagUserLists,
  type OutputOf,
  type ParsedOf,
  updateFeatureFlagUserList,
} from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { requireActive } from '../pipeline/pipeline-rules';
import { FeatureFlags } from './feature-flags';
import type { UserListRecord } from './user-list.schema';
import { UserLists } from './user-lists';

type Target = ContextOf<typeof createFeatureFlagUserList>;

@Controller()
export class UserListOperations {
  constructor(
    private readonly lists: UserLists,
    private readonly flags: FeatureFlags,
  ) {}

  @Handles(listFeatureFlagUserLists)
  async list({ project }: Target, input: ParsedOf<typeof listFeatureFlagUserLists>) {
    const { items, ...rest } = await this.lists.page(project.id, input);
    return { ...rest, items: items.map(view) };
  }

  @Handles(getFeatureFlagUserList)
  async get({ project }: Target, { iid }: ParsedOf<typeof getFeatureFlagUserList>) {
    return view(await this.lists.get(project.id, iid));
  }

  @Handles(createFeatureFlagUserList)
  async create({ project }: Target, { name, user_xids }: ParsedOf<typeof createFeatureFlagUserList>) {
    requireActive(project);
    return view(await this.lists.add(project.id, { name, userXids: user_xids }));
  }

  @Handles(updateFeatureFlagUserList)
  async update({ project }: Target, { iid, name, user_xids }: ParsedOf<typeof updateFeatureFlagUserList>) {
    requireActive(project);
    const facts = { ...(name !== undefined && { name }), ...(user_xids !== undefined && { userXids: user_xids }) };
    const isChange = Object.keys(facts).length > 0;
    return view(isChange ? await this.lists.change(project.id, iid, facts) : await this.lists.get(project.id, iid));
  }

  @Handles(deleteFeatureFlagUserList)
  async delete({ project }: Target, { iid }: ParsedOf<typeof deleteFeatureFlagUserList>): Promise<void> {
    requireActive(project);
    const { _id } = await this.lists.get(project.id, iid);
    if (await this.flags.isListUsed(_id)) throw featureFlagErrors.listUsed();
    await this.lists.remove(_id);
  }
}

const view = (list: UserListRecord): OutputOf<typeof getFeatureFlagUserList> => ({
  id: list._id,
  iid: list.iid,
  project_id: list.projectId,
  name: list.name,
  user_xids: list.userXids,
  created_at: list.createdAt.toISOString(),
  updated_at: list.updatedAt.toISOString(),
});
