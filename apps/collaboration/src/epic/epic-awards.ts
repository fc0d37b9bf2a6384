import {
  type ContextOf,
  createEpicAward,
  createEpicNoteAward,
  deleteEpicAward,
  deleteEpicNoteAward,
  getEpicAward,
  getEpicNoteAward,
  listEpicAwards,
  listEpicNoteAwards,
  type ParsedOf,
} from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { AwardActions, type AwardTarget } from '../award/award-actions';
import { AwardTargets } from '../award/award-targets';
import { EpicNoteable } from './epic-noteable';

type Context = ContextOf<typeof listEpicAwards>;

/** Awards on epics and on their notes. */
@Controller()
export class EpicAwards {
  constructor(
    private readonly awards: AwardActions,
    private readonly targets: AwardTargets,
    private readonly noteables: EpicNoteable,
  ) {}

  @Handles(listEpicAwards)
  async list(context: Context, input: ParsedOf<typeof listEpicAwards>) {
    return this.awards.list(await this.on(context, input), input);
  }

  @Handles(getEpicAward)
  async get(context: Context, input: ParsedOf<typeof getEpicAward>) {
    return this.awards.get(await this.on(context, input), input.award_id);
  }

  @Handles(createEpicAward)
  async create(context: Context, input: ParsedOf<typeof createEpicAward>) {
    return this.awards.create(await this.on(context, input), input.name);
  }

  @Handles(deleteEpicAward)
  async remove(context: Context, input: ParsedOf<typeof deleteEpicAward>) {
    await this.awards.remove(await this.on(context, input), input.award_id);
  }

  @Handles(listEpicNoteAwards)
  async listOnNote(context: Context, input: ParsedOf<typeof listEpicNoteAwards>) {
    return this.awards.list(await this.onNote(context, input), input);
  }

  @Handles(getEpicNoteAward)
  async getOnNote(context: Context, input: ParsedOf<typeof getEpicNoteAward>) {
    return this.awards.get(await this.onNote(context, input), input.award_id);
  }

  @Handles(createEpicNoteAward)
  async createOnNote(context: Context, input: ParsedOf<typeof createEpicNoteAward>) {
    return this.awards.create(await this.onNote(context, input), input.name);
  }

  @Handles(deleteEpicNoteAward)
  async removeOnNote(context: Context, input: ParsedOf<typeof deleteEpicNoteAward>) {
    await this.awards.remove(await this.onNote(context, input), input.award_id);
  }

  private async on(context: Context, input: { epic_iid: number }): Promise<AwardTarget> {
    return this.targets.on(await this.noteables.byIid(context, input.epic_iid));
  }

  private async onNote(context: Context, input: { epic_iid: number; note_id: number }): Promise<AwardTarget> {
    return this.targets.onNote(await this.noteables.byIid(context, input.epic_iid), input.note_id);
  }
}
