import { type ContextOf, forbidden, type ParsedOf, playSchedule } from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { PipelineMaker } from '../pipeline/pipeline-maker';
import { requireActive } from '../pipeline/pipeline-rules';
import { Schedules } from './schedule.repository';

@Controller()
export class PlaySchedule {
  constructor(
    private readonly schedules: Schedules,
    private readonly maker: PipelineMaker,
  ) {}

  /** Created before the answer, so that an acknowledged pipeline exists. */
  @Handles(playSchedule)
  async handle({ project, caller }: ContextOf<typeof playSchedule>, input: ParsedOf<typeof playSchedule>) {
    requireActive(project);
    const { _id, description, ref, variables } = await this.schedules.get(project.id, input.pipeline_schedule_id);
    const draft = await this.maker.draft({
      project,
      ref,
      source: 'schedule',
      userId: caller.id,
      isAdmin: caller.isAdmin,
      isWanted: true,
      variables,
      schedule: { id: _id, description },
    });
    if (draft.refusal === 'ref_protected') throw forbidden();
    await this.maker.save(draft);
    return { message: '201 Created' };
  }
}
