import { Injectable } from '@nestjs/common';
import { AwardActions, type AwardTarget } from '../award/award-actions';
import type { NoteableFinder } from '../note/noteable';
import { AwardableResolver } from './awardable-resolver';

type Paging = Parameters<AwardActions['list']>[1];

interface OneAward {
  award_id: number;
}

interface NewAward {
  name: string;
}

/** Awards on one kind of record. */
@Injectable()
export class AwardController<Context, Named> {
  constructor(
    protected readonly noteables: NoteableFinder<Context, Named>,
    private readonly awards: AwardActions,
    protected readonly awardables: AwardableResolver,
  ) {}

  async list(context: Context, input: Named & Paging) {
    return this.awards.list(await this.resolve(context, input), input);
  }

  async get(context: Context, input: Named & OneAward) {
    return this.awards.get(await this.resolve(context, input), input.award_id);
  }

  async create(context: Context, input: Named & NewAward) {
    return this.awards.create(await this.resolve(context, input), input.name);
  }

  async remove(context: Context, input: Named & OneAward): Promise<void> {
    await this.awards.remove(await this.resolve(context, input), input.award_id);
  }

  protected async resolve(context: Context, named: Named): Promise<AwardTarget> {
    return this.awardables.resolve(await this.noteables.find(context, named));
  }
}

interface OnNote {
  note_id: number;
}

/** Awards on the notes of one kind of record. */
export class NoteAwardController<Context, Named> extends AwardController<Context, Named & OnNote> {
  protected override async resolve(context: Context, named: Named & OnNote): Promise<AwardTarget> {
    return this.awardables.resolveNote(await this.noteables.find(context, named), named.note_id);
  }
}
