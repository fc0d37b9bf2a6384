import {
  type ContextOf,
  createRelease,
  createTag,
  createTagRelease,
  isError,
  type ParsedOf,
  releaseErrors,
} from '@moothall/contracts';
import { Handles, OperationClient } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { linkFieldsOf, requireSoundLinks } from '../link-rules';
import { Releases } from '../release.repository';
import type { Link, Release } from '../release.schema';
import { releaseEvent } from '../release-event';
import { ReleaseViews, type TagFacts } from '../release-views';
import { type Changing, ChangingReleases } from './changing-releases';

type Input = ParsedOf<typeof createRelease>;
type Given = Pick<Release, 'name' | 'description' | 'milestoneIds' | 'links'> & Partial<Pick<Release, 'releasedAt'>>;
type GivenLinks = NonNullable<NonNullable<Input['assets']>['links']>;

/** Creates a release. If it crashes after creating the tag, a retry finds the tag. */
@Controller()
export class CreateRelease {
  constructor(
    private readonly changing: ChangingReleases,
    private readonly releases: Releases,
    private readonly views: ReleaseViews,
    private readonly client: OperationClient,
  ) {}

  @Handles(createRelease)
  async create(context: ContextOf<typeof createRelease>, input: Input) {
    const { project } = context;
    const askedAt = new Date();
    const known = await this.changing.findTag(context, input.tag_name);
    if (await this.releases.find(project.id, input.tag_name)) throw releaseErrors.exists();
    const milestoneIds = await this.changing.milestoneIds(project, input.milestones ?? []);
    const links = await this.linksOf(input.assets?.links ?? []);
    const since = known ? askedAt : new Date();
    const tag = known ?? (await this.makeTag(context, input));
    const release = await this.add(context, tag, since, {
      name: input.name || null,
      description: input.description ?? null,
      milestoneIds,
      links,
      ...(input.released_at !== undefined && { releasedAt: new Date(input.released_at) }),
    });
    return this.views.one(release, project);
  }

  @Handles(createTagRelease)
  async ofTag(context: ContextOf<typeof createTagRelease>, input: ParsedOf<typeof createTagRelease>) {
    const { tag_name, description } = input;
    const since = new Date();
    const tag = await this.changing.findTag(context, tag_name);
    if (!tag) throw releaseErrors.tagNotFound();
    await this.add(context, tag, since, { name: null, description, milestoneIds: [], links: [] });
    return { tag_name, description };
  }

  /** @param since a time before the tag was found or created: a deletion of the tag after it removes the release */
  private add({ project, caller }: Changing, tag: TagFacts, since: Date, given: Given) {
    return this.releases.add(
      {
        releasedAt: since,
        ...given,
        projectId: project.id,
        tagName: tag.name,
        authorId: caller.id,
        evidences: [],
        createdAt: since,
      },
      (release) => [releaseEvent(release, { action: 'create', userId: caller.id, commit: tag.commit })],
    );
  }

  /** @throws common.invalid_record */
  private async linksOf(given: GivenLinks): Promise<Link[]> {
    if (given.length === 0) return [];
    const first = await this.releases.takeLinkIds(given.length);
    const links = given.map((link, at) => ({
      name: link.name,
      url: link.url,
      linkType: link.link_type,
      filepath: linkFieldsOf(link).filepath ?? null,
      id: first + at,
    }));
    requireSoundLinks(links);
    return links.reverse();
  }

  /** @throws release.no_ref; the errors of creating tags */
  private async makeTag(context: Changing, { tag_name, ref, tag_message: message }: Input): Promise<TagFacts> {
    if (ref === undefined) throw releaseErrors.noRef();
    const { project } = context;
    const given = { id: String(project.id), tag_name, ref, ...(message && { message }) };
    const made = await this.client.call(createTag, given, context).catch(async (error: unknown) => {
      if (!isError(error, { code: 'git.tag_exists' })) throw error;
      // A concurrent request was first.
    });
    if (made) return { name: made.name, commit: made.commit, may_create: true };
    return this.changing.getTag(context, tag_name);
  }
}
