import { isDuplicateKey } from '@moothall/database';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { Impostor, Position } from './position.schema';

const _id = 'primary';

/** How far this site has followed its primary. */
@Injectable()
export class Positions {
  constructor(@InjectModel('Position') private readonly positions: Model<Position>) {}

  get(): Promise<Position | null> {
    return this.positions.findById(_id).lean<Position>();
  }

  /** Something else answered where the primary is to be. */
  async foundImpostor(words: string): Promise<void> {
    const $set = { foundAt: new Date(), words };
    await this.positions.collection.updateOne({ _id: 'impostor' as never }, { $set }, { upsert: true });
  }

  /** That which was found last, though the primary may have answered since. */
  impostor(): Promise<Impostor | null> {
    return this.positions.findById('impostor').lean<Impostor>();
  }

  /** Restarts. Has no effect if another continued or restarted meanwhile. @param known as it was read */
  async begin(known: Position | null, position: Omit<Position, '_id'>): Promise<void> {
    if (known) return this.advance(known, position);
    await this.positions.create({ _id, ...position }).catch((error: unknown) => {
      if (!isDuplicateKey(error)) throw error;
    });
  }

  /** Nothing where another went on from there meanwhile. */
  async advance({ walk, cursor, walkAfter }: Position, changes: Partial<Position>): Promise<void> {
    await this.positions.updateOne({ _id, walk, cursor, walkAfter }, { $set: changes });
  }
}
