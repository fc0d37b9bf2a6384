import { type EventData, type EventRecord, epicDeleted } from '@moothall/contracts';
import { newEvent, Outbox } from '@moothall/database';
import { OnEvent } from '@moothall/messaging';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { RemoveActivity } from '../activity/remove-activity';
import { EpicLinks } from '../issue-link/epic-link.repository';
import type { EpicDocument } from './epic.schema';
import { EpicReferences } from './epic-references';

/** Removes epics; their issues and child epics remain. */
@Injectable()
export class RemoveEpics {
  constructor(
    @InjectModel('Epic') private readonly epics: Model<EpicDocument>,
    private readonly references: EpicReferences,
    private readonly links: EpicLinks,
    private readonly activity: RemoveActivity,
    private readonly outbox: Outbox,
  ) {}

  async remove({ _id, groupId }: EpicDocument): Promise<void> {
    await this.outbox.remove(this.epics, _id, newEvent(epicDeleted, { epic_id: _id, group_id: groupId }));
    await this.outbox.promptly(this.release(_id));
  }

  /** Repeats the removal after an interruption. */
  @OnEvent(epicDeleted, 'RemoveEpics-onDeleted')
  async onDeleted({ data }: EventRecord<EventData<typeof epicDeleted>>): Promise<void> {
    await this.release(data.epic_id);
  }

  private async release(epicId: number): Promise<void> {
    await this.references.release([epicId]);
    await this.links.removeFrom([epicId]);
    await this.epics.updateMany({ parentId: epicId }, { $set: { parentId: null }, $inc: { revision: 1 } });
    await this.activity.removeFrom('Epic', [epicId]);
  }
}
