import { Injectable } from '@nestjs/common';
import { Projects } from '../project/project.repository';

/** How many forks a project has. */
@Injectable()
export class Forks {
  constructor(private readonly projects: Projects) {}

  /** Counts anew, so that a stop in between is mended by the next fork. */
  async count(projectId: number): Promise<void> {
    const forksCount = await this.projects.model.countDocuments({ forkedFromId: projectId });
    await this.projects.model.updateOne({ _id: projectId }, { $set: { forksCount } }, { timestamps: false });
  }

  /** The forks of a project that is gone are projects like others. */
  async orphan(projectId: number): Promise<void> {
    await this.projects.model.updateMany({ forkedFromId: projectId }, { $unset: { forkedFromId: 1 } });
  }
}
