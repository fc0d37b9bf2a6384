import {
  type ContextOf,
  exportReleases,
  importReleases,
  isError,
  type OutputOf,
  type ParsedOf,
  releaseErrors,
} from '@moothall/contracts';
import { Handles, OperationClient, removeIfDeleted } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { requireSoundLinks } from '../link-rules';
import { Releases } from '../release.repository';
import type { Release } from '../release.schema';

const pageSize = 100;

type Archived = OutputOf<typeof exportReleases>['releases'][number];

/** Releases in archives of projects. See docs/api/projects.md#9. */
@Controller()
export class ArchivedReleases {
  constructor(
    private readonly releases: Releases,
    private readonly client: OperationClient,
  ) {}

  @Handles(exportReleases)
  async export({ project }: ContextOf<typeof exportReleases>, { after_id }: ParsedOf<typeof exportReleases>) {
    const found = await this.releases.ofProject(project.id, after_id, pageSize);
    const last = found.at(-1);
    return { releases: found.map(archived), next_after_id: last && found.length === pageSize ? last._id : null };
  }

  @Handles(importReleases)
  async import({ project }: ContextOf<typeof importReleases>, input: ParsedOf<typeof importReleases>) {
    let created = 0;
    for (const release of input.releases) created += Number(await this.take(project.id, release));
    await removeIfDeleted(this.client, project.id, () => this.releases.forgetProject(project.id));
    return { created };
  }

  private async take(projectId: number, release: Archived): Promise<boolean> {
    const first = release.links.length > 0 ? await this.releases.takeLinkIds(release.links.length) : 0;
    const links = release.links.map(({ link_type: linkType, ...link }, at) => ({ ...link, linkType, id: first + at }));
    requireSoundLinks(links);
    const made = {
      projectId,
      tagName: release.tag_name,
      name: release.name,
      description: release.description,
      authorId: release.author_id,
      milestoneIds: [],
      links,
      evidences: [],
      releasedAt: new Date(release.released_at),
      createdAt: new Date(release.created_at),
    };
    try {
      await this.releases.add(made, () => []);
      return true;
    } catch (error) {
      if (isError(error, releaseErrors.exists)) return false;
      throw error;
    }
  }
}

const archived = (release: Release): Archived => ({
  tag_name: release.tagName,
  name: release.name,
  description: release.description,
  author_id: release.authorId,
  released_at: release.releasedAt.toISOString(),
  created_at: release.createdAt.toISOString(),
  links: release.links.map(({ name, url, filepath, linkType }) => ({ name, url, filepath, link_type: linkType })),
});
