import {
  type ContextOf,
  createFeatureFlag,
  deleteFeatureFlag,
  getFeatureFlag,
  invalidRecord,
  listFeatureFlags,
  type OutputOf,
  only,
  type ParsedOf,
  type ProjectRef,
  updateFeatureFlag,
} from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { requireActive } from '../pipeline/pipeline-rules';
import { changedStrategies, countOfIds, type GivenStrategy } from './changed-strategies';
import type { FeatureFlagRecord, Strategy } from './feature-flag.schema';
import { FeatureFlags } from './feature-flags';
import { UserLists } from './user-lists';

type Target = ContextOf<typeof createFeatureFlag>;
type View = OutputOf<typeof getFeatureFlag>;

@Controller()
export class FeatureFlagOperations {
  constructor(
    private readonly flags: FeatureFlags,
    private readonly lists: UserLists,
  ) {}

  @Handles(listFeatureFlags)
  async list({ project }: Target, input: ParsedOf<typeof listFeatureFlags>) {
    const isActive = input.scope === undefined ? undefined : input.scope === 'enabled';
    const { items, ...rest } = await this.flags.page(project.id, isActive, input);
    return { ...rest, items: await this.view(items, project) };
  }

  @Handles(getFeatureFlag)
  async get({ project }: Target, { feature_flag_name }: ParsedOf<typeof getFeatureFlag>) {
    return this.viewOne(await this.flags.get(project.id, feature_flag_name), project);
  }

  @Handles(createFeatureFlag)
  async create({ project }: Target, input: ParsedOf<typeof createFeatureFlag>) {
    requireActive(project);
    const made = await this.flags.add(project.id, {
      name: input.name,
      description: input.description ?? null,
      isActive: input.active,
      strategies: (await this.change(project, input.strategies))([]),
    });
    return this.viewOne(made, project);
  }

  @Handles(updateFeatureFlag)
  async update({ project, caller }: Target, input: ParsedOf<typeof updateFeatureFlag>) {
    requireActive(project);
    const { feature_flag_name, name, description, active, strategies } = input;
    const facts = {
      ...(name !== undefined && { name }),
      ...(description !== undefined && { description }),
      ...(active !== undefined && { isActive: active }),
    };
    const change = strategies && (await this.change(project, strategies));
    if (!change && Object.keys(facts).length === 0) {
      return this.viewOne(await this.flags.get(project.id, feature_flag_name), project);
    }
    return this.viewOne(await this.flags.change(project.id, feature_flag_name, caller.id, facts, change), project);
  }

  @Handles(deleteFeatureFlag)
  async delete({ project }: Target, { feature_flag_name }: ParsedOf<typeof deleteFeatureFlag>) {
    requireActive(project);
    return this.viewOne(await this.flags.remove(project.id, feature_flag_name), project);
  }

  /** @throws common.invalid_record for lists that the project does not have */
  private async change(project: ProjectRef, given: GivenStrategy[]) {
    const listIds = given.flatMap(({ user_list_id }) => user_list_id ?? []);
    const lists = await this.lists.byIds(project.id, listIds);
    if (!listIds.every((id) => lists.has(id))) throw invalidRecord({ strategies: ['user list is not found'] });
    const firstId = await this.flags.takeIds(countOfIds(given));
    return (strategies: Strategy[]) => changedStrategies(strategies, given, firstId);
  }

  private async viewOne(flag: FeatureFlagRecord, project: ProjectRef): Promise<View> {
    return only(await this.view([flag], project));
  }

  private async view(flags: FeatureFlagRecord[], project: ProjectRef): Promise<View[]> {
    const named = flags.flatMap(({ strategies }) => strategies.flatMap(({ userListId }) => userListId ?? []));
    const lists = await this.lists.byIds(project.id, named);
    const listOf = (id: number | undefined) => {
      const list = lists.get(id ?? 0);
      return list ? { id: list._id, iid: list.iid, name: list.name, user_xids: list.userXids } : null;
    };
    return flags.map(({ name, description, isActive, strategies, createdAt, updatedAt }) => ({
      name,
      description,
      active: isActive,
      version: 'new_version_flag',
      created_at: createdAt.toISOString(),
      updated_at: updatedAt.toISOString(),
      scopes: [],
      strategies: strategies.map(({ id, name: kind, parameters, userListId, scopes }) => ({
        id,
        name: kind,
        parameters,
        scopes: scopes.map(({ id: scopeId, environmentScope }) => ({
          id: scopeId,
          environment_scope: environmentScope,
        })),
        user_list: listOf(userListId),
      })),
    }));
  }
}
