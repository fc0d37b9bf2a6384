import {
  type ContextOf,
  createScheduleVariable,
  deleteScheduleVariable,
  invalidRecord,
  listScheduleVariables,
  type ParsedOf,
  pageOf,
  scheduleErrors,
  updateScheduleVariable,
} from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { SecretBox } from '@moothall/secrets';
import { Controller } from '@nestjs/common';
import { requireActive } from '../pipeline/pipeline-rules';
import { RefRights } from '../pipeline/ref-rights';
import { openVariable, type SealedVariable } from '../variable/sealed-variable';
import { keyProblems } from '../variable/variable-rules';
import { Schedules } from './schedule.repository';
import type { PipelineSchedule } from './schedule.schema';
import { requireChangeable } from './schedule-rules';

type Target = ContextOf<typeof createScheduleVariable>;

/** Values are often credentials: only users who may change the schedule see them. */
@Controller()
export class ScheduleVariables {
  constructor(
    private readonly schedules: Schedules,
    private readonly refs: RefRights,
    private readonly box: SecretBox,
  ) {}

  @Handles(listScheduleVariables)
  async list(context: Target, input: ParsedOf<typeof listScheduleVariables>) {
    const { variables } = await this.changeable(context, input.pipeline_schedule_id);
    return pageOf(
      variables.map((variable) => openVariable(this.box, variable)),
      input,
    );
  }

  @Handles(createScheduleVariable)
  async create(context: Target, input: ParsedOf<typeof createScheduleVariable>) {
    const { _id } = await this.writable(context, input.pipeline_schedule_id);
    const { key, value, variable_type } = input;
    const problems = keyProblems(key);
    if (problems.length > 0) throw invalidRecord({ key: problems });
    await this.schedules.addVariable(_id, { key, value, variable_type });
    return { key, value, variable_type };
  }

  @Handles(updateScheduleVariable)
  async update(context: Target, input: ParsedOf<typeof updateScheduleVariable>) {
    const schedule = await this.writable(context, input.pipeline_schedule_id);
    const { variableType } = variableOf(schedule, input.key);
    const variable = { key: input.key, value: input.value, variable_type: input.variable_type ?? variableType };
    await this.schedules.changeVariable(schedule._id, variable);
    return variable;
  }

  @Handles(deleteScheduleVariable)
  async delete(context: Target, input: ParsedOf<typeof deleteScheduleVariable>) {
    const schedule = await this.writable(context, input.pipeline_schedule_id);
    const variable = openVariable(this.box, variableOf(schedule, input.key));
    await this.schedules.removeVariable(schedule._id, input.key);
    return variable;
  }

  private async writable(context: Target, id: number): Promise<PipelineSchedule> {
    requireActive(context.project);
    const schedule = await this.changeable(context, id);
    await this.refs.require(context.project, context.caller, schedule.ref);
    return schedule;
  }

  private async changeable({ project, caller }: Target, id: number): Promise<PipelineSchedule> {
    const schedule = await this.schedules.get(project.id, id);
    requireChangeable(schedule, project, caller);
    return schedule;
  }
}

/** @throws pipeline_schedule.variable_not_found */
function variableOf({ variables }: PipelineSchedule, key: string): SealedVariable {
  const variable = variables.find((one) => one.key === key);
  if (!variable) throw scheduleErrors.variableNotFound();
  return variable;
}
