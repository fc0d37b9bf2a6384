import { projectErrors, vulnerabilityErrors } from '@moothall/contracts';
import { hasRoom, isDuplicateKey } from '@moothall/database';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { type Dashboard, mostProjects } from './dashboard.schema';

/** Queries on security dashboards. */
@Injectable()
export class Dashboards {
  constructor(@InjectModel('Dashboard') private readonly dashboards: Model<Dashboard>) {}

  async projectIds(userId: number): Promise<number[]> {
    return (await this.dashboards.findById(userId).lean<Dashboard>())?.projectIds ?? [];
  }

  /** @throws vulnerability.too_many_on_dashboard */
  async add(userId: number, projectId: number): Promise<void> {
    const open = { _id: userId, $or: [hasRoom('projectIds', mostProjects), { projectIds: projectId }] };
    const add = { $addToSet: { projectIds: projectId } };
    try {
      await this.dashboards.updateOne(open, add, { upsert: true });
    } catch (error) {
      // It exists: it is full, or a concurrent request inserted it.
      if (!isDuplicateKey(error)) throw error;
      const { matchedCount } = await this.dashboards.updateOne(open, add);
      if (matchedCount === 0) throw vulnerabilityErrors.tooManyOnDashboard();
    }
  }

  /** @throws project.not_found if it is not on the dashboard */
  async remove(userId: number, projectId: number): Promise<void> {
    const { matchedCount } = await this.dashboards.updateOne(
      { _id: userId, projectIds: projectId },
      { $pull: { projectIds: projectId } },
    );
    if (matchedCount === 0) throw projectErrors.notFound();
  }

  async forgetProject(projectId: number): Promise<void> {
    await this.dashboards.updateMany({ projectIds: projectId }, { $pull: { projectIds: projectId } });
  }

  async forgetUser(userId: number): Promise<void> {
    await this.dashboards.deleteOne({ _id: userId });
  }
}
