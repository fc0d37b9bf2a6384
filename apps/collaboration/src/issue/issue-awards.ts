import {
  type ContextOf,
  createIssueAward,
  createIssueNoteAward,
  deleteIssueAward,
  deleteIssueNoteAward,
  getIssueAward,
  getIssueNoteAward,
  listIssueAwards,
  listIssueNoteAwards,
  type ParsedOf,
} from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { AwardActions, type AwardTarget } from '../award/award-actions';
import { AwardTargets } from '../award/award-targets';
import { IssueNoteable } from './issue-noteable';

type Context = ContextOf<typeof listIssueAwards>;

/** Awards on issues and on their notes. */
@Controller()
export class IssueAwards {
  constructor(
    private readonly awards: AwardActions,
    private readonly targets: AwardTargets,
    private readonly noteables: IssueNoteable,
  ) {}

  @Handles(listIssueAwards)
  async list(context: Context, input: ParsedOf<typeof listIssueAwards>) {
    return this.awards.list(await this.on(context, input), input);
  }

  @Handles(getIssueAward)
  async get(context: Context, input: ParsedOf<typeof getIssueAward>) {
    return this.awards.get(await this.on(context, input), input.award_id);
  }

  @Handles(createIssueAward)
  async create(context: Context, input: ParsedOf<typeof createIssueAward>) {
    return this.awards.create(await this.on(context, input), input.name);
  }

  @Handles(deleteIssueAward)
  async remove(context: Context, input: ParsedOf<typeof deleteIssueAward>) {
    await this.awards.remove(await this.on(context, input), input.award_id);
  }

  @Handles(listIssueNoteAwards)
  async listOnNote(context: Context, input: ParsedOf<typeof listIssueNoteAwards>) {
    return this.awards.list(await this.onNote(context, input), input);
  }

  @Handles(getIssueNoteAward)
  async getOnNote(context: Context, input: ParsedOf<typeof getIssueNoteAward>) {
    return this.awards.get(await this.onNote(context, input), input.award_id);
  }

  @Handles(createIssueNoteAward)
  async createOnNote(context: Context, input: ParsedOf<typeof createIssueNoteAward>) {
    return this.awards.create(await this.onNote(context, input), input.name);
  }

  @Handles(deleteIssueNoteAward)
  async removeOnNote(context: Context, input: ParsedOf<typeof deleteIssueNoteAward>) {
    await this.awards.remove(await this.onNote(context, input), input.award_id);
  }

  private async on(context: Context, input: { issue_iid: number }): Promise<AwardTarget> {
    return this.targets.on(await this.noteables.find(context, input.issue_iid));
  }

  private async onNote(context: Context, input: { issue_iid: number; note_id: number }): Promise<AwardTarget> {
    return this.targets.onNote(await this.noteables.find(context, input.issue_iid), input.note_id);
  }
}
