import { commonErrors, onlyGiven, type Page } from '@moothall/contracts';
import { Counters, changeDocument, findPage } from '@moothall/database';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { OwnerKey } from '../parent/owner';
import type { BoardDocument, BoardList } from './board.schema';

/** Requested changes of a board; undefined leaves a field unchanged. */
export type BoardChange = {
  [K in 'name' | 'milestoneId' | 'labelIds' | 'assigneeId' | 'weight' | 'hideBacklogList' | 'hideClosedList']?:
    | BoardDocument[K]
    | undefined;
};

/** Every query on boards. */
@Injectable()
export class Boards {
  constructor(
    @InjectModel('Board') readonly model: Model<BoardDocument>,
    private readonly counters: Counters,
  ) {}

  page(owner: OwnerKey, input: { page: number; per_page: number }): Promise<Page<BoardDocument>> {
    return findPage(this.model, { owner }, { _id: 1 }, input);
  }

  /** @throws common.not_found */
  async get(owner: OwnerKey, id: number): Promise<BoardDocument> {
    const board = await this.model.findOne({ _id: id, owner }).lean<BoardDocument>();
    if (!board) throw commonErrors.notFound();
    return board;
  }

  async add(owner: OwnerKey, given: BoardChange & { name: string }): Promise<BoardDocument> {
    const _id = await this.counters.next('boards');
    const made = await this.model.create({ ...onlyGiven(given), _id, owner, lists: [] });
    return made.toObject();
  }

  /** @throws common.not_found */
  async change(owner: OwnerKey, id: number, change: BoardChange): Promise<BoardDocument> {
    const update = { $set: onlyGiven(change) };
    const changed = await this.model
      .findOneAndUpdate({ _id: id, owner }, update, { returnDocument: 'after' })
      .lean<BoardDocument>();
    if (!changed) throw commonErrors.notFound();
    return changed;
  }

  /** Computes the lists again after a concurrent change. @throws common.not_found; what `listsOf` throws */
  async changeLists(owner: OwnerKey, id: number, listsOf: (lists: BoardList[]) => BoardList[]): Promise<BoardDocument> {
    const changed = await changeDocument(this.model, { _id: id, owner }, ['lists'], ({ lists }) => ({
      $set: { lists: listsOf(lists) },
    }));
    if (!changed) throw commonErrors.notFound();
    return changed;
  }

  newListId(): Promise<number> {
    return this.counters.next('board_lists');
  }

  /** @throws common.not_found */
  async remove(owner: OwnerKey, id: number): Promise<void> {
    const { deletedCount } = await this.model.deleteOne({ _id: id, owner });
    if (deletedCount === 0) throw commonErrors.notFound();
  }
}
