import {
  Access,
  type ContextOf,
  callerInput,
  commonErrors,
  createIteration,
  createIterationCadence,
  deleteIteration,
  forbidden,
  isReadable,
  iterationErrors,
  type ParsedOf,
} from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { ParentDirectory } from '../parent/parent-directory';
import { Iterations } from './iteration.repository';
import { IterationReferences } from './iteration-references';
import { IterationViews } from './iteration-views';

/** GraphQL mutations on iterations, for reporters of a group. See docs/api/iterations.md#3. */
@Controller()
export class ChangeIterations {
  constructor(
    private readonly iterations: Iterations,
    private readonly references: IterationReferences,
    private readonly views: IterationViews,
    private readonly parents: ParentDirectory,
  ) {}

  @Handles(createIterationCadence)
  async createCadence(
    { group }: ContextOf<typeof createIterationCadence>,
    input: ParsedOf<typeof createIterationCadence>,
  ) {
    if (input.automatic) throw iterationErrors.notAutomatic();
    const cadence = await this.iterations.addCadence({
      groupId: group.id,
      title: input.title.trim(),
      description: input.description ?? null,
      active: input.active,
      startDate: input.start_date ?? null,
      durationInWeeks: input.duration_in_weeks ?? null,
    });
    const { _id: id, title, description, active } = cadence;
    return {
      ...{ id, group_id: group.id, title, description, active, automatic: false as const },
      start_date: cadence.startDate,
      duration_in_weeks: cadence.durationInWeeks,
    };
  }

  @Handles(createIteration)
  async create({ group }: ContextOf<typeof createIteration>, input: ParsedOf<typeof createIteration>) {
    const cadence = input.cadence_id
      ? await this.iterations.getCadence(input.cadence_id, group.id)
      : await this.iterations.firstCadence(group.id, `${group.name} Iterations`);
    const made = await this.iterations.add({
      groupId: group.id,
      cadenceId: cadence._id,
      title: input.title?.trim() || null,
      description: input.description ?? null,
      startDate: input.start_date,
      dueDate: input.due_date,
    });
    return this.views.viewOfGroup(made, group);
  }

  /** The request names it by id alone, so its group is read here. */
  @Handles(deleteIteration)
  async remove({ caller }: ContextOf<typeof deleteIteration>, input: ParsedOf<typeof deleteIteration>) {
    const iteration = await this.iterations.get(input.iteration_id);
    const [group] = await this.parents.readGroups([iteration.groupId], callerInput(caller));
    if (!group || !isReadable(group, caller)) throw commonErrors.notFound();
    if (group.accessLevel < Access.Reporter) throw forbidden();
    await this.references.remove(iteration);
    return { group_id: group.id };
  }
}
