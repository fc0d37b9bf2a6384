import {
  Access,
  type ContextOf,
  createGroupBadge,
  deleteGroupBadge,
  getGroupBadge,
  listGroupBadges,
  type ParsedOf,
  renderGroupBadge,
  updateGroupBadge,
} from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { groupKey } from '../member/source';
import { Projects } from '../project/project.repository';
import type { ProjectDocument } from '../project/project.schema';
import { projectRefOf } from '../project/project-ref';
import { Badges } from './badge.repository';
import { renderBadge, viewBadge } from './badge.view';
import { requireBadgeUrls } from './badge-urls';
import { ReadBadgeValues } from './badge-values';

/** Badges of a group. Placeholders stay as written, since a group has no project to take values from. */
@Controller()
export class GroupBadges {
  constructor(
    private readonly badges: Badges,
    private readonly projects: Projects,
    private readonly values: ReadBadgeValues,
  ) {}

  @Handles(listGroupBadges)
  async list({ group }: ContextOf<typeof listGroupBadges>, input: ParsedOf<typeof listGroupBadges>) {
    const page = await this.badges.page([groupKey(group.id)], input);
    return { ...page, items: page.items.map((badge) => viewBadge(badge, null)) };
  }

  @Handles(getGroupBadge)
  async get({ group }: ContextOf<typeof getGroupBadge>, input: ParsedOf<typeof getGroupBadge>) {
    return viewBadge(await this.badges.get([groupKey(group.id)], input.badge_id), null);
  }

  /** Rendered for the first project of the group, if there is one. */
  @Handles(renderGroupBadge)
  async render({ group, requestId }: ContextOf<typeof renderGroupBadge>, input: ParsedOf<typeof renderGroupBadge>) {
    requireBadgeUrls({ link_url: input.link_url, image_url: input.image_url });
    const urls = { linkUrl: input.link_url, imageUrl: input.image_url };
    const first = await this.projects.model.findOne({ groupIds: group.id }).sort({ _id: 1 }).lean<ProjectDocument>();
    if (!first) return renderBadge(urls, null);
    const project = projectRefOf(first, Access.Owner);
    return renderBadge(urls, await this.values.read(project, Object.values(urls), requestId));
  }

  @Handles(createGroupBadge)
  async create({ group }: ContextOf<typeof createGroupBadge>, input: ParsedOf<typeof createGroupBadge>) {
    requireBadgeUrls({ link_url: input.link_url, image_url: input.image_url });
    return viewBadge(await this.badges.add(groupKey(group.id), input), null);
  }

  @Handles(updateGroupBadge)
  async update({ group }: ContextOf<typeof updateGroupBadge>, input: ParsedOf<typeof updateGroupBadge>) {
    requireBadgeUrls({ link_url: input.link_url, image_url: input.image_url });
    return viewBadge(await this.badges.change(groupKey(group.id), input.badge_id, input), null);
  }

  @Handles(deleteGroupBadge)
  async delete({ group }: ContextOf<typeof deleteGroupBadge>, input: ParsedOf<typeof deleteGroupBadge>) {
    await this.badges.remove(groupKey(group.id), input.badge_id);
  }
}
