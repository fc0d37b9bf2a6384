import { type Caller, forbidden, namedMilestones, type ProjectRef, releaseErrors } from '@moothall/contracts';
import { OperationClient } from '@moothall/messaging';
import { Injectable } from '@nestjs/common';
import { Releases } from '../release.repository';
import type { Release } from '../release.schema';
import { ReleaseViews, type TagFacts } from '../release-views';

export interface Changing {
  project: ProjectRef;
  caller: Caller;
}

/** What is asked before a release is changed. */
@Injectable()
export class ChangingReleases {
  constructor(
    private readonly releases: Releases,
    private readonly views: ReleaseViews,
    private readonly client: OperationClient,
  ) {}

  /** One that is to be changed. @throws common.forbidden in an archived project; release.not_found */
  async getRelease({ project }: Changing, tagName: string): Promise<Release> {
    requireActive(project);
    return this.releases.get(project.id, tagName);
  }

  /** The tag, where it is there. @throws common.forbidden for who might not make the tag, or in an archived project */
  async findTag({ project, caller }: Changing, tagName: string): Promise<TagFacts | undefined> {
    requireActive(project);
    const [tag] = await this.views.facts(project, [tagName], caller);
    if (tag && !tag.may_create) throw forbidden();
    return tag;
  }

  /** The same for a release that is there; without its tag it is about to go. @throws release.not_found */
  async getTag(changing: Changing, tagName: string): Promise<TagFacts> {
    const tag = await this.findTag(changing, tagName);
    if (!tag) throw releaseErrors.notFound();
    return tag;
  }

  /** Ids of milestones of the project and the groups above it. @throws release.milestones_not_found */
  async milestoneIds(project: ProjectRef, titles: readonly string[]): Promise<number[]> {
    if (titles.length === 0) return [];
    const found = await this.client.call(namedMilestones, { titles: [...new Set(titles)] }, { project });
    const unknown = titles.filter((title) => !found.some((milestone) => milestone.title === title));
    if (unknown.length > 0) throw releaseErrors.milestonesNotFound(`Milestone(s) not found: ${unknown.join(', ')}`);
    return found.map(({ id }) => id).sort((a, b) => a - b);
  }
}

/** Before anything is looked up. See docs/api/requests.md#4. */
function requireActive({ isArchived }: ProjectRef): void {
  if (isArchived) throw forbidden();
}
