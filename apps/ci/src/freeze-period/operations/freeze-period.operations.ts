import {
  type ContextOf,
  createFreezePeriod,
  deleteFreezePeriod,
  type EventData,
  type EventRecord,
  getFreezePeriod,
  listFreezePeriods,
  type OutputOf,
  type ParsedOf,
  projectDeleted,
  updateFreezePeriod,
} from '@moothall/contracts';
import { Handles, OnEvent } from '@moothall/messaging';
import { Controller, Injectable } from '@nestjs/common';
import { requireActive } from '../../pipeline/pipeline-rules';
import type { FreezePeriodRecord } from '../freeze-period.schema';
import { FreezePeriods } from '../freeze-periods';
import { requireReadable } from '../freeze-rules';

type Target = ContextOf<typeof createFreezePeriod>;

@Controller()
export class FreezePeriodOperations {
  constructor(private readonly periods: FreezePeriods) {}

  @Handles(listFreezePeriods)
  async list({ project }: Target, input: ParsedOf<typeof listFreezePeriods>) {
    const { items, ...rest } = await this.periods.page(project.id, input);
    return { ...rest, items: items.map(view) };
  }

  @Handles(getFreezePeriod)
  async get({ project }: Target, { freeze_period_id }: ParsedOf<typeof getFreezePeriod>) {
    return view(await this.periods.get(project.id, freeze_period_id));
  }

  @Handles(createFreezePeriod)
  async create({ project }: Target, input: ParsedOf<typeof createFreezePeriod>) {
    requireActive(project);
    const { freeze_start: freezeStart, freeze_end: freezeEnd, cron_timezone: cronTimezone } = input;
    const facts = { freezeStart, freezeEnd, cronTimezone };
    requireReadable(facts);
    return view(await this.periods.add(project.id, facts));
  }

  @Handles(updateFreezePeriod)
  async update({ project }: Target, input: ParsedOf<typeof updateFreezePeriod>) {
    requireActive(project);
    const { freeze_period_id, freeze_start, freeze_end, cron_timezone } = input;
    const facts = {
      ...(freeze_start !== undefined && { freezeStart: freeze_start }),
      ...(freeze_end !== undefined && { freezeEnd: freeze_end }),
      ...(cron_timezone !== undefined && { cronTimezone: cron_timezone }),
    };
    if (Object.keys(facts).length === 0) return view(await this.periods.get(project.id, freeze_period_id));
    return view(await this.periods.change(project.id, freeze_period_id, facts, requireReadable));
  }

  @Handles(deleteFreezePeriod)
  async delete({ project }: Target, { freeze_period_id }: ParsedOf<typeof deleteFreezePeriod>): Promise<void> {
    requireActive(project);
    await this.periods.remove(project.id, freeze_period_id);
  }
}

/** Freeze periods go with their project. */
@Injectable()
export class FollowFreezeOwners {
  constructor(private readonly periods: FreezePeriods) {}

  @OnEvent(projectDeleted, 'FollowFreezeOwners-onProjectDeleted')
  async onProjectDeleted({ data }: EventRecord<EventData<typeof projectDeleted>>): Promise<void> {
    await this.periods.removeOfProject(data.project_id);
  }
}

const view = (period: FreezePeriodRecord): OutputOf<typeof getFreezePeriod> => ({
  id: period._id,
  freeze_start: period.freezeStart,
  freeze_end: period.freezeEnd,
  cron_timezone: period.cronTimezone,
  created_at: period.createdAt.toISOString(),
  updated_at: period.updatedAt.toISOString(),
});
