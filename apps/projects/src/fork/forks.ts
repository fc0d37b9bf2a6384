import { Injectable } from '@nestjs/common';
import { Projects } from '../project/project.repository';

/** Queries on the forks of a project. */
@Injectable()
export class Forks {
  constructor(private readonly projects: Projects) {}

  /** Forks of a deleted project become independent projects. */
  async orphan(projectId: number): Promise<void> {
    await this.projects.model.updateMany({ forkedFromId: projectId }, { $unset: { forkedFromId: 1 } });
  }
}
