import { childEpicErrors, invalidRecord, isError, mostChildEpics, mostEpicLevels } from '@moothall/contracts';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { EpicDocument } from './epic.schema';

type Node = Pick<EpicDocument, '_id' | 'parentId'>;

const refusals = [childEpicErrors.circle, childEpicErrors.tooDeep, childEpicErrors.tooMany];

export const invalidParent = () => invalidRecord({ parent_id: ['is invalid'] });

/** The same form as other invalid fields. */
export function refuseParent(error: unknown): never {
  throw refusals.some((maker) => isError(error, maker)) ? invalidParent() : error;
}

/** The hierarchy of epics. See docs/api/epics.md#4. */
@Injectable()
export class EpicHierarchy {
  constructor(@InjectModel('Epic') private readonly epics: Model<EpicDocument>) {}

  /** @param child undefined for a new one @throws child_epic.circle; child_epic.too_deep; child_epic.too_many */
  async requireRoom(parent: Node, child: Node | undefined): Promise<void> {
    const above = await this.pathTo(parent);
    if (child && above.includes(child._id)) throw childEpicErrors.circle();
    const levels = child ? await this.heightOf(child._id, mostEpicLevels) : 1;
    if (above.length + levels > mostEpicLevels) throw childEpicErrors.tooDeep();
    const others = { parentId: parent._id, ...(child && { _id: { $ne: child._id } }) };
    if ((await this.epics.countDocuments(others).limit(mostChildEpics)) >= mostChildEpics)
      throw childEpicErrors.tooMany();
  }

  /** The epic and its ancestors up to the depth limit; a cycle shows as a repeated id. */
  private async pathTo(epic: Node): Promise<number[]> {
    const path = [epic._id];
    for (let { parentId } = epic; parentId !== null && path.length <= mostEpicLevels; ) {
      path.push(parentId);
      const above: Node | null = await this.epics.findById(parentId, { parentId: 1 }).lean<Node>();
      parentId = above?.parentId ?? null;
    }
    return path;
  }

  private async heightOf(id: number, most: number): Promise<number> {
    let ids = [id];
    for (let levels = 1; levels <= most; levels++) {
      const below = await this.epics.find({ parentId: { $in: ids } }, { _id: 1 }).lean<{ _id: number }[]>();
      if (below.length === 0) return levels;
      ids = below.map(({ _id }) => _id);
    }
    return most + 1;
  }

  /** After all siblings. */
  async nextPosition(parentId: number): Promise<number> {
    const last = await this.epics
      .findOne({ parentId }, { parentPosition: 1 })
      .sort({ parentPosition: -1 })
      .lean<Pick<EpicDocument, 'parentPosition'>>();
    return (last?.parentPosition ?? 0) + 1;
  }

  listBelow(parentId: number): Promise<EpicDocument[]> {
    return this.epics.find({ parentId }).sort({ parentPosition: 1, _id: 1 }).lean<EpicDocument[]>().exec();
  }

  async hasChildren(id: number): Promise<boolean> {
    return (await this.epics.exists({ parentId: id })) !== null;
  }
}
