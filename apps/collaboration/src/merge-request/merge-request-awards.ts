import {
  type ContextOf,
  createMergeRequestAward,
  createMergeRequestNoteAward,
  deleteMergeRequestAward,
  deleteMergeRequestNoteAward,
  getMergeRequestAward,
  getMergeRequestNoteAward,
  listMergeRequestAwards,
  listMergeRequestNoteAwards,
  type ParsedOf,
} from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { AwardActions, type AwardTarget } from '../award/award-actions';
import { AwardTargets } from '../award/award-targets';
import { MergeRequestNoteable } from './merge-request-noteable';

type Context = ContextOf<typeof listMergeRequestAwards>;

/** Awards on merge requests and on their notes. */
@Controller()
export class MergeRequestAwards {
  constructor(
    private readonly awards: AwardActions,
    private readonly targets: AwardTargets,
    private readonly noteables: MergeRequestNoteable,
  ) {}

  @Handles(listMergeRequestAwards)
  async list(context: Context, input: ParsedOf<typeof listMergeRequestAwards>) {
    return this.awards.list(await this.on(context, input), input);
  }

  @Handles(getMergeRequestAward)
  async get(context: Context, input: ParsedOf<typeof getMergeRequestAward>) {
    return this.awards.get(await this.on(context, input), input.award_id);
  }

  @Handles(createMergeRequestAward)
  async create(context: Context, input: ParsedOf<typeof createMergeRequestAward>) {
    return this.awards.create(await this.on(context, input), input.name);
  }

  @Handles(deleteMergeRequestAward)
  async remove(context: Context, input: ParsedOf<typeof deleteMergeRequestAward>) {
    await this.awards.remove(await this.on(context, input), input.award_id);
  }

  @Handles(listMergeRequestNoteAwards)
  async listOnNote(context: Context, input: ParsedOf<typeof listMergeRequestNoteAwards>) {
    return this.awards.list(await this.onNote(context, input), input);
  }

  @Handles(getMergeRequestNoteAward)
  async getOnNote(context: Context, input: ParsedOf<typeof getMergeRequestNoteAward>) {
    return this.awards.get(await this.onNote(context, input), input.award_id);
  }

  @Handles(createMergeRequestNoteAward)
  async createOnNote(context: Context, input: ParsedOf<typeof createMergeRequestNoteAward>) {
    return this.awards.create(await this.onNote(context, input), input.name);
  }

  @Handles(deleteMergeRequestNoteAward)
  async removeOnNote(context: Context, input: ParsedOf<typeof deleteMergeRequestNoteAward>) {
    await this.awards.remove(await this.onNote(context, input), input.award_id);
  }

  private async on(context: Context, input: { merge_request_iid: number }): Promise<AwardTarget> {
    return this.targets.on(await this.noteables.find(context, input.merge_request_iid));
  }

  private async onNote(context: Context, input: { merge_request_iid: number; note_id: number }): Promise<AwardTarget> {
    return this.targets.onNote(await this.noteables.find(context, input.merge_request_iid), input.note_id);
  }
}
