import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { Position } from './position.schema';

const _id = 'primary';

/** How far this site has followed its primary. */
@Injectable()
export class Positions {
  constructor(@InjectModel('Position') private readonly positions: Model<Position>) {}

  get(): Promise<Position | null> {
    return this.positions.findById(_id).lean<Position>();
  }

  async begin(position: Omit<Position, '_id'>): Promise<void> {
    await this.positions.replaceOne({ _id }, { _id, ...position }, { upsert: true });
  }

  /** Nothing where another went on from there meanwhile. */
  async advance({ walk, cursor, walkAfter }: Position, changes: Partial<Position>): Promise<void> {
    await this.positions.updateOne({ _id, walk, cursor, walkAfter }, { $set: changes });
  }
}
