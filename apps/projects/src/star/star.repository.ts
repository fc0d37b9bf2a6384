import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { StarDocument } from './star.schema';

/** Every query on stars. */
@Injectable()
export class Stars {
  constructor(@InjectModel('Star') readonly model: Model<StarDocument>) {}

  async projectsOf(userId: number): Promise<number[]> {
    const stars = await this.model.find({ userId }, { projectId: 1 }).lean<StarDocument[]>();
    return stars.map(({ projectId }) => projectId);
  }

  /** @returns whether there was none before */
  async add(projectId: number, userId: number): Promise<boolean> {
    const star = { projectId, userId, starredAt: new Date() };
    const written = await this.model.updateOne(
      { _id: keyOf(projectId, userId) },
      { $setOnInsert: star },
      { upsert: true },
    );
    return written.upsertedCount === 1;
  }

  /** @returns whether there was one */
  async remove(projectId: number, userId: number): Promise<boolean> {
    const { deletedCount } = await this.model.deleteOne({ _id: keyOf(projectId, userId) });
    return deletedCount === 1;
  }

  async count(projectId: number): Promise<number> {
    return this.model.countDocuments({ projectId });
  }

  async forget(projectId: number): Promise<void> {
    await this.model.deleteMany({ projectId });
  }
}

const keyOf = (projectId: number, userId: number): string => `${projectId}/${userId}`;
