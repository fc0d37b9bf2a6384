import { Injectable } from '@nestjs/common';
import { StoredCounts } from '../../project/stored-counts';
import { Stars } from '../star.repository';

/** Removes the stars of a deleted user. */
@Injectable()
export class ForgetStars {
  constructor(
    private readonly stars: Stars,
    private readonly counts: StoredCounts,
  ) {}

  async forgetOfUser(userId: number): Promise<void> {
    for (const projectId of await this.stars.projectsOf(userId)) {
      await this.counts.whileChanging(projectId, 'starCount', () => this.stars.remove(projectId, userId));
    }
  }
}
