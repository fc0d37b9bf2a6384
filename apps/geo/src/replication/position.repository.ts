import { isDuplicateKey } from '@moothall/database';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { Impostor, Position } from './position.schema';

const _id = 'primary';

/** Queries on the position of this site in the feed of its primary. */
@Injectable()
export class Positions {
  constructor(@InjectModel('Position') private readonly positions: Model<Position>) {}

  get(): Promise<Position | null> {
    return this.positions.findById(_id).lean<Position>();
  }

  /** Records that another server answers at the primary's URL. */
  async foundImpostor(words: string): Promise<void> {
    const $set = { foundAt: new Date(), words };
    await this.positions.collection.updateOne({ _id: 'impostor' as never }, { $set }, { upsert: true });
  }

  /** The last one found, even if the primary has answered since. */
  impostor(): Promise<Impostor | null> {
    return this.positions.findById('impostor').lean<Impostor>();
  }

  /**
   * Restarts the walk. Has no effect if another process continued or restarted meanwhile. @param known the position
   * that was read
   */
  async begin(known: Position | null, position: Omit<Position, '_id'>): Promise<void> {
    if (known) return this.advance(known, position);
    await this.positions.create({ _id, ...position }).catch((error: unknown) => {
      if (!isDuplicateKey(error)) throw error;
    });
  }

  /** Has no effect if another process continued from there meanwhile. */
  async advance({ walk, cursor, walkAfter }: Position, changes: Partial<Position>): Promise<void> {
    await this.positions.updateOne({ _id, walk, cursor, walkAfter }, { $set: changes });
  }
}
