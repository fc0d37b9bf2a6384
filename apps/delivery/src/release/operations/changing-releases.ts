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

/** Checks before a release is changed. */
@Injectable()
export class ChangingReleases {
  constructor(
    private readonly releases: Releases,
    private readonly views: ReleaseViews,
    private readonly client: OperationClient,
  ) {}

  /** A release to change. @throws common.forbidden in an archived project; release.not_found */
  async getRelease({ project }: Changing, tagName: string): Promise<Release> {
    requireActive(project);
    return this.releases.get(project.id, tagName);
  }

  /** The tag, if it exists. @throws common.forbidden if the caller may not create the tag, or in an archived project */
  async findTag({ project, caller }: Changing, tagName: string): Promise<TagFacts | undefined> {
    requireActive(project);
    const [tag] = await this.views.facts(project, [tagName], caller);
    if (tag && !tag.may_create) throw forbidden();
    return tag;
  }

  /** The same for an existing release; without its tag it is about to be removed. @throws release.not_found */
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

/** Checked before anything is looked up. See docs/api/requests.md#4. */
function requireActive({ isArchived }: ProjectRef): void {
  if (isArchived) throw forbidden();
}
