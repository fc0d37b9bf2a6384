import { Injectable } from '@nestjs/common';
import type { Model } from 'mongoose';
import { Epics } from '../epic/epic.repository';
import { EpicKind } from '../epic/epic-kind';
import type { InGroup, Noteable, NoteableDocument, NoteableFinder } from '../note/noteable';
import { ApplyQuickActions, inGroup } from '../quick-action/apply-quick-actions';
import { epicActions } from '../quick-action/epic-actions';

const commands: ReadonlySet<string> = new Set(Object.keys(epicActions.actions));

/** Paths of notes name an epic by its global id, those of awards by its number in the group. */
type Named = { epic_id: number } | { epic_iid: number };

/** Epics as noteables. */
@Injectable()
export class EpicNoteable implements NoteableFinder<InGroup, Named> {
  constructor(
    private readonly epics: Epics,
    private readonly kind: EpicKind,
    private readonly quickActions: ApplyQuickActions,
  ) {}

  /** @throws epic.not_found */
  async find({ group, caller }: InGroup, named: Named): Promise<Noteable> {
    const epic = await ('epic_id' in named
      ? this.epics.getById(group, named.epic_id, caller)
      : this.epics.get(group, named.epic_iid, caller));
    return {
      subject: this.kind.subjectOf(epic),
      document: epic,
      model: this.kind.model as unknown as Model<NoteableDocument>,
      caller,
      accessLevel: group.accessLevel,
      isArchived: false,
      takesConfidentialNotes: true,
      shownWithNote: { title: epic.title, file_name: null, expires_at: null },
      commands,
      apply: (commands) =>
        this.quickActions.apply(epicActions, commands, this.kind, { document: epic, ...inGroup(group), caller }),
    };
  }
}
