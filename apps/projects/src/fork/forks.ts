import { Injectable } from '@nestjs/common';
import { Projects } from '../project/project.repository';

/** Which projects are forks of one. */
@Injectable()
export class Forks {
  constructor(private readonly projects: Projects) {}

  /** The forks of a project that is gone are projects like others. */
  async orphan(projectId: number): Promise<void> {
    await this.projects.model.updateMany({ forkedFromId: projectId }, { $unset: { forkedFromId: 1 } });
  }
}
