import {
  type ContextOf,
  createReleaseLink,
  deleteReleaseLink,
  downloadReleaseLink,
  getReleaseLink,
  listReleaseLinks,
  type ParsedOf,
  pageOf,
  Reply,
  releaseErrors,
  updateReleaseLink,
} from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { linkFieldsOf, requireSoundLinks } from '../link-rules';
import { Releases } from '../release.repository';
import type { Link, Release } from '../release.schema';
import { releaseEvent } from '../release-event';
import { ReleaseViews } from '../release-views';
import { type Changing, ChangingReleases } from './changing-releases';

/** Links of releases. */
@Controller()
export class ReleaseLinks {
  constructor(
    private readonly changing: ChangingReleases,
    private readonly releases: Releases,
    private readonly views: ReleaseViews,
  ) {}

  @Handles(listReleaseLinks)
  async list({ project }: ContextOf<typeof listReleaseLinks>, input: ParsedOf<typeof listReleaseLinks>) {
    const release = await this.releases.get(project.id, input.tag_name);
    const { items, ...rest } = pageOf(release.links, input);
    return { ...rest, items: items.map((link) => this.views.link(link, release)) };
  }

  @Handles(getReleaseLink)
  async get({ project }: ContextOf<typeof getReleaseLink>, input: ParsedOf<typeof getReleaseLink>) {
    const release = await this.releases.get(project.id, input.tag_name);
    return this.views.link(linkOf(release, input.link_id), release);
  }

  @Handles(createReleaseLink)
  async create(context: ContextOf<typeof createReleaseLink>, input: ParsedOf<typeof createReleaseLink>) {
    const release = await this.changing.getRelease(context, input.tag_name);
    const { name, url, link_type: linkType } = input;
    const filepath = linkFieldsOf(input).filepath ?? null;
    const link = { id: await this.releases.takeLinkIds(1), name, url, filepath, linkType };
    await this.change(context, release, (links) => [link, ...links]);
    return this.views.link(link, release);
  }

  @Handles(updateReleaseLink)
  async update(context: ContextOf<typeof updateReleaseLink>, input: ParsedOf<typeof updateReleaseLink>) {
    const release = await this.changing.getRelease(context, input.tag_name);
    linkOf(release, input.link_id);
    const fields = linkFieldsOf(input);
    const changed = await this.change(context, release, (links) =>
      links.map((link) => (link.id === input.link_id ? { ...link, ...fields } : link)),
    );
    return this.views.link(linkOf(changed, input.link_id), release);
  }

  @Handles(deleteReleaseLink)
  async remove(context: ContextOf<typeof deleteReleaseLink>, input: ParsedOf<typeof deleteReleaseLink>) {
    const release = await this.changing.getRelease(context, input.tag_name);
    const link = linkOf(release, input.link_id);
    await this.change(context, release, (links) => {
      // Of two concurrent requests one removes it.
      if (!links.some(({ id }) => id === link.id)) throw releaseErrors.linkNotFound();
      return links.filter(({ id }) => id !== link.id);
    });
    return this.views.link(link, release);
  }

  @Handles(downloadReleaseLink)
  async download({ project }: ContextOf<typeof downloadReleaseLink>, input: ParsedOf<typeof downloadReleaseLink>) {
    const { links } = await this.releases.get(project.id, input.tag_name);
    const link = links.find(({ filepath }) => filepath === `/${input.direct_asset_path}`);
    if (!link) throw releaseErrors.linkNotFound();
    return new Reply(undefined, { headers: { location: new URL(link.url).href } });
  }

  private async change(context: Changing, release: Release, changeLinks: (links: Link[]) => Link[]): Promise<Release> {
    const { commit } = await this.changing.getTag(context, release.tagName);
    return this.releases.change(
      release,
      ['links'],
      (current) => {
        const links = changeLinks(current.links);
        requireSoundLinks(links);
        return { links };
      },
      (changed) => [releaseEvent(changed, { action: 'update', userId: context.caller.id, commit })],
    );
  }
}

/** @throws release.link_not_found */
function linkOf({ links }: Release, id: number): Link {
  const link = links.find((one) => one.id === id);
  if (!link) throw releaseErrors.linkNotFound();
  return link;
}
