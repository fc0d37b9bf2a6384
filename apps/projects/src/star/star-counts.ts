import { Injectable } from '@nestjs/common';
import { Projects } from '../project/project.repository';
import { Stars } from './star.repository';

/** Keeps how many stars a project has, so that no list has to count. */
@Injectable()
export class StarCounts {
  constructor(
    private readonly projects: Projects,
    private readonly stars: Stars,
  ) {}

  /**
   * Taken anew each time, so that a stop in between is mended by the next star; and until it stays, since who counts
   * first may write last.
   */
  async settle(projectId: number): Promise<void> {
    let starCount = await this.stars.count(projectId);
    for (;;) {
      // Who bookmarks a project does not change it.
      await this.projects.model.updateOne({ _id: projectId }, { $set: { starCount } }, { timestamps: false });
      const now = await this.stars.count(projectId);
      if (now === starCount) return;
      starCount = now;
    }
  }

  /** Takes away what a user starred. */
  async forgetUser(userId: number): Promise<void> {
    for (const projectId of await this.stars.projectsOf(userId)) {
      // Marked first: after a stop in between the event comes again, and finds the star.
      await this.projects.model.updateOne({ _id: projectId }, { $inc: { starCount: -1 } }, { timestamps: false });
      await this.stars.remove(projectId, userId);
      await this.settle(projectId);
    }
  }
}
