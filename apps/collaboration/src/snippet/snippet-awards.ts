import {
  type ContextOf,
  createSnippetAward,
  createSnippetNoteAward,
  deleteSnippetAward,
  deleteSnippetNoteAward,
  getSnippetAward,
  getSnippetNoteAward,
  listSnippetAwards,
  listSnippetNoteAwards,
  type ParsedOf,
} from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { AwardActions, type AwardTarget } from '../award/award-actions';
import { AwardTargets } from '../award/award-targets';
import { SnippetNoteable } from './snippet-noteable';

type Context = ContextOf<typeof listSnippetAwards>;

/** Awards on snippets of projects and on their notes. */
@Controller()
export class SnippetAwards {
  constructor(
    private readonly awards: AwardActions,
    private readonly targets: AwardTargets,
    private readonly noteables: SnippetNoteable,
  ) {}

  @Handles(listSnippetAwards)
  async list(context: Context, input: ParsedOf<typeof listSnippetAwards>) {
    return this.awards.list(await this.on(context, input), input);
  }

  @Handles(getSnippetAward)
  async get(context: Context, input: ParsedOf<typeof getSnippetAward>) {
    return this.awards.get(await this.on(context, input), input.award_id);
  }

  @Handles(createSnippetAward)
  async create(context: Context, input: ParsedOf<typeof createSnippetAward>) {
    return this.awards.create(await this.on(context, input), input.name);
  }

  @Handles(deleteSnippetAward)
  async remove(context: Context, input: ParsedOf<typeof deleteSnippetAward>) {
    await this.awards.remove(await this.on(context, input), input.award_id);
  }

  @Handles(listSnippetNoteAwards)
  async listOnNote(context: Context, input: ParsedOf<typeof listSnippetNoteAwards>) {
    return this.awards.list(await this.onNote(context, input), input);
  }

  @Handles(getSnippetNoteAward)
  async getOnNote(context: Context, input: ParsedOf<typeof getSnippetNoteAward>) {
    return this.awards.get(await this.onNote(context, input), input.award_id);
  }

  @Handles(createSnippetNoteAward)
  async createOnNote(context: Context, input: ParsedOf<typeof createSnippetNoteAward>) {
    return this.awards.create(await this.onNote(context, input), input.name);
  }

  @Handles(deleteSnippetNoteAward)
  async removeOnNote(context: Context, input: ParsedOf<typeof deleteSnippetNoteAward>) {
    await this.awards.remove(await this.onNote(context, input), input.award_id);
  }

  private async on(context: Context, input: { snippet_id: number }): Promise<AwardTarget> {
    return this.targets.on(await this.noteables.find(context, input.snippet_id));
  }

  private async onNote(context: Context, input: { snippet_id: number; note_id: number }): Promise<AwardTarget> {
    return this.targets.onNote(await this.noteables.find(context, input.snippet_id), input.note_id);
  }
}
