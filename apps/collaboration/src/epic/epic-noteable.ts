import type { Caller, GroupRef } from '@moothall/contracts';
import { Injectable } from '@nestjs/common';
import type { Model } from 'mongoose';
import type { Noteable, NoteableDocument } from '../noteable/noteable';
import { Epics } from './epic.repository';
import type { EpicDocument } from './epic.schema';
import { EpicKind } from './epic-kind';

interface Context {
  group: GroupRef;
  caller: Caller;
}

/** Epics, as notes see them. */
@Injectable()
export class EpicNoteable {
  constructor(
    private readonly epics: Epics,
    private readonly kind: EpicKind,
  ) {}

  /** By global id. @throws epic.not_found */
  async byId(context: Context, id: number): Promise<Noteable> {
    return this.of(await this.epics.getById(context.group, id, context.caller), context);
  }

  /** By number in the group. @throws epic.not_found */
  async byIid(context: Context, iid: number): Promise<Noteable> {
    return this.of(await this.epics.get(context.group, iid, context.caller), context);
  }

  private of(epic: EpicDocument, { group, caller }: Context): Noteable {
    return {
      subject: this.kind.subjectOf(epic),
      document: epic,
      model: this.kind.model as unknown as Model<NoteableDocument>,
      caller,
      accessLevel: group.accessLevel,
      isArchived: false,
      takesConfidentialNotes: true,
      commands: new Set(),
      apply: async () => ({ changes: {}, summary: [] }),
    };
  }
}
