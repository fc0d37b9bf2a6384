import {
  type Caller,
  type ContextOf,
  callerInput,
  descendantGroups,
  getIteration,
  isReadable,
  listGroupIterations,
  listProjectIterations,
  type ParsedOf,
} from '@moothall/contracts';
import { Handles, OperationClient } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { ParentDirectory } from '../parent/parent-directory';
import { Iterations } from './iteration.repository';
import { IterationViews } from './iteration-views';

type Input = Omit<ParsedOf<typeof listGroupIterations>, 'id'>;

/** Iterations of groups, and those that projects inherit. See docs/api/iterations.md#1. */
@Controller()
export class ListIterations {
  constructor(
    private readonly iterations: Iterations,
    private readonly views: IterationViews,
    private readonly parents: ParentDirectory,
    private readonly client: OperationClient,
  ) {}

  @Handles(listGroupIterations)
  async listOfGroup(
    { group, caller }: ContextOf<typeof listGroupIterations>,
    input: ParsedOf<typeof listGroupIterations>,
  ) {
    const above = input.include_ancestors ? group.ancestorIds : [];
    const below = input.include_descendants ? await this.findBelow(group.id, caller) : [];
    return this.list([group.id, ...above, ...below], input);
  }

  @Handles(getIteration)
  async get({ group }: ContextOf<typeof getIteration>, { iteration_iid }: ParsedOf<typeof getIteration>) {
    return this.views.viewOfGroup(await this.iterations.getNumbered(group.id, iteration_iid), group);
  }

  /** A project has no iterations of its own. */
  @Handles(listProjectIterations)
  async listOfProject(
    { project }: ContextOf<typeof listProjectIterations>,
    input: ParsedOf<typeof listProjectIterations>,
  ) {
    return this.list(input.include_ancestors ? project.groupIds : project.groupIds.slice(0, 1), input);
  }

  private async findBelow(groupId: number, caller: Caller | undefined): Promise<number[]> {
    const all = await this.client.call(descendantGroups, { group_id: groupId });
    const below = await this.parents.readGroups(
      all.filter((id) => id !== groupId),
      callerInput(caller),
    );
    return below.filter((group) => isReadable(group, caller)).map(({ id }) => id);
  }

  private async list(groupIds: number[], input: Input) {
    const page = await this.iterations.page(groupIds, input);
    return { ...page, items: await this.views.view(page.items) };
  }
}
