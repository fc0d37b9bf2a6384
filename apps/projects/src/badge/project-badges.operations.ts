import {
  badgeErrors,
  type ContextOf,
  createProjectBadge,
  deleteProjectBadge,
  getProjectBadge,
  listProjectBadges,
  only,
  type ParsedOf,
  type ProjectRef,
  renderProjectBadge,
  updateProjectBadge,
} from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { groupKey, keyParts, projectKey, type SourceKey } from '../member/source';
import { Badges } from './badge.repository';
import type { BadgeDocument } from './badge.schema';
import { renderBadge, viewBadge } from './badge.view';
import { requireBadgeUrls } from './badge-urls';
import { ReadBadgeValues } from './badge-values';

/** Badges of a project: its own, and read-only those of the groups above. */
@Controller()
export class ProjectBadges {
  constructor(
    private readonly badges: Badges,
    private readonly values: ReadBadgeValues,
  ) {}

  @Handles(listProjectBadges)
  async list(context: ContextOf<typeof listProjectBadges>, input: ParsedOf<typeof listProjectBadges>) {
    const page = await this.badges.page(sourcesOf(context.project), input);
    return { ...page, items: await this.view(context, page.items) };
  }

  @Handles(getProjectBadge)
  async get(context: ContextOf<typeof getProjectBadge>, input: ParsedOf<typeof getProjectBadge>) {
    return this.viewOne(context, await this.badges.get(sourcesOf(context.project), input.badge_id));
  }

  @Handles(renderProjectBadge)
  async render(
    { project, requestId }: ContextOf<typeof renderProjectBadge>,
    input: ParsedOf<typeof renderProjectBadge>,
  ) {
    requireBadgeUrls({ link_url: input.link_url, image_url: input.image_url });
    const urls = { linkUrl: input.link_url, imageUrl: input.image_url };
    return renderBadge(urls, await this.values.read(project, Object.values(urls), requestId));
  }

  @Handles(createProjectBadge)
  async create(context: ContextOf<typeof createProjectBadge>, input: ParsedOf<typeof createProjectBadge>) {
    requireBadgeUrls({ link_url: input.link_url, image_url: input.image_url });
    return this.viewOne(context, await this.badges.add(projectKey(context.project.id), input));
  }

  @Handles(updateProjectBadge)
  async update(context: ContextOf<typeof updateProjectBadge>, input: ParsedOf<typeof updateProjectBadge>) {
    requireBadgeUrls({ link_url: input.link_url, image_url: input.image_url });
    return this.viewOne(context, await this.badges.change(projectKey(context.project.id), input.badge_id, input));
  }

  @Handles(deleteProjectBadge)
  async delete({ project }: ContextOf<typeof deleteProjectBadge>, input: ParsedOf<typeof deleteProjectBadge>) {
    const badge = await this.badges.get(sourcesOf(project), input.badge_id);
    if (keyParts(badge.source).kind === 'group') throw badgeErrors.ofGroup();
    await this.badges.remove(projectKey(project.id), input.badge_id);
  }

  private async viewOne(context: { project: ProjectRef; requestId: string }, badge: BadgeDocument) {
    return only(await this.view(context, [badge]));
  }

  private async view({ project, requestId }: { project: ProjectRef; requestId: string }, badges: BadgeDocument[]) {
    const urls = badges.flatMap(({ linkUrl, imageUrl }) => [linkUrl, imageUrl]);
    const values = await this.values.read(project, urls, requestId);
    return badges.map((badge) => viewBadge(badge, values));
  }
}

/** From the top-level group down, so that the project's own come last. */
const sourcesOf = (project: ProjectRef): SourceKey[] => [
  ...project.groupIds.toReversed().map(groupKey),
  projectKey(project.id),
];
