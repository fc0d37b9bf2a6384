import {
  type ContextOf,
  defaultPlanLimits,
  getPlanLimits,
  onlyGiven,
  type ParsedOf,
  PlanLimits,
  planLimitsChanged,
  readPlanLimits,
  updatePlanLimits,
} from '@moothall/contracts';
import { newEvent, Outbox } from '@moothall/database';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { type InstanceRecord, readSet, setSome } from '../record/instance-record';

/** Plan limits, as administrators set them. See docs/api/instance.md#10. */
@Controller()
export class PlanLimitsOperations {
  constructor(
    @InjectModel('PlanLimits') private readonly model: Model<InstanceRecord>,
    private readonly outbox: Outbox,
  ) {}

  @Handles(getPlanLimits)
  async get(_: ContextOf<typeof getPlanLimits>, __: ParsedOf<typeof getPlanLimits>) {
    return this.read();
  }

  @Handles(readPlanLimits)
  async readForServices(_: ContextOf<typeof readPlanLimits>, __: ParsedOf<typeof readPlanLimits>) {
    return this.read();
  }

  @Handles(updatePlanLimits)
  async update(
    _: ContextOf<typeof updatePlanLimits>,
    { plan_name: _plan, ...input }: ParsedOf<typeof updatePlanLimits>,
  ) {
    const values = onlyGiven(input);
    const names = Object.keys(values);
    if (names.length === 0) return this.read();
    await setSome(this.model, this.outbox, values, newEvent(planLimitsChanged, { names }));
    return this.read();
  }

  private async read(): Promise<PlanLimits> {
    return PlanLimits.parse({ ...defaultPlanLimits, ...(await readSet(this.model)) });
  }
}
