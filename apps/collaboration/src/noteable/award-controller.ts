import type { AwardActions } from '../award/award-actions';
import type { NoteableFinder } from '../note/noteable';
import type { AwardableResolver } from './awardable-resolver';

type Paging = Parameters<AwardActions['list']>[1];

interface OnNote {
  note_id: number;
}

interface OneAward {
  award_id: number;
}

interface NewAward {
  name: string;
}

/** Awards on one kind of record and on its notes; the kind says by HandlesEach what is answered by which method. */
export abstract class AwardController<Context, Named> {
  constructor(
    private readonly awards: AwardActions,
    private readonly awardables: AwardableResolver,
    private readonly noteables: NoteableFinder<Context, Named>,
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

  async listOnNote(context: Context, input: Named & OnNote & Paging) {
    return this.awards.list(await this.resolveNote(context, input), input);
  }

  async getOnNote(context: Context, input: Named & OnNote & OneAward) {
    return this.awards.get(await this.resolveNote(context, input), input.award_id);
  }

  async createOnNote(context: Context, input: Named & OnNote & NewAward) {
    return this.awards.create(await this.resolveNote(context, input), input.name);
  }

  async removeOnNote(context: Context, input: Named & OnNote & OneAward): Promise<void> {
    await this.awards.remove(await this.resolveNote(context, input), input.award_id);
  }

  private async resolve(context: Context, named: Named) {
    return this.awardables.resolve(await this.noteables.find(context, named));
  }

  private async resolveNote(context: Context, input: Named & OnNote) {
    return this.awardables.resolveNote(await this.noteables.find(context, input), input.note_id);
  }
}
