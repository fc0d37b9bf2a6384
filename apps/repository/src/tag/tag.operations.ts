import {
  type ContextOf,
  createTag,
  deleteTag,
  getTag,
  listTags,
  type ParsedOf,
  type ProjectRef,
  window,
} from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { settingsToken } from '@moothall/service';
import { Controller, Inject } from '@nestjs/common';
import { projectUrl, viewCommit } from '../commit/commit.view';
import type { Tag } from '../git/tags';
import { personOf, requireWritable } from '../repository/code-writer';
import { PushEvents } from '../repository/push-events';
import type { RepositorySettings } from '../settings';
import { type Located, Storages } from '../storage/storages';
import { sortTags } from './sort-tags';

@Controller()
export class TagOperations {
  constructor(
    private readonly storages: Storages,
    private readonly events: PushEvents,
    @Inject(settingsToken) private readonly settings: RepositorySettings,
  ) {}

  @Handles(listTags)
  async list({ project }: ContextOf<typeof listTags>, input: ParsedOf<typeof listTags>) {
    const located = this.storages.locate(project);
    const tags = await located.engine.tags.list(located.path, input.search);
    const sorted = await sortTags(located, tags, input.order_by, input.sort);
    const { skip, limit } = window(input);
    const items = sorted.slice(skip, skip + limit).map((tag) => this.view(located, project, tag));
    return { items: await Promise.all(items), total: tags.length };
  }

  @Handles(getTag)
  async get({ project }: ContextOf<typeof getTag>, { tag_name }: ParsedOf<typeof getTag>) {
    const located = this.storages.locate(project);
    return this.view(located, project, await located.engine.tags.get(located.path, tag_name));
  }

  @Handles(createTag)
  async create(
    { project, caller }: ContextOf<typeof createTag>,
    { tag_name, ref, message }: ParsedOf<typeof createTag>,
  ) {
    requireWritable(project);
    const located = this.storages.locate(project);
    const annotation = message ? { message, tagger: personOf(caller) } : undefined;
    const tag = await located.engine.tags.create(located.path, tag_name, ref, annotation);
    const update = { refName: `refs/tags/${tag.name}`, before: null, after: tag.targetId };
    await this.events.announce(located, project, caller, [update]);
    return this.view(located, project, tag);
  }

  @Handles(deleteTag)
  async remove({ project, caller }: ContextOf<typeof deleteTag>, { tag_name }: ParsedOf<typeof deleteTag>) {
    requireWritable(project);
    const located = this.storages.locate(project);
    const removed = await located.engine.tags.remove(located.path, tag_name);
    const update = { refName: `refs/tags/${removed.name}`, before: removed.targetId, after: null };
    await this.events.announce(located, project, caller, [update]);
  }

  private async view({ engine, path }: Located, project: ProjectRef, tag: Tag) {
    const commit = await engine.commits.get(path, tag.commitId!);
    return {
      name: tag.name,
      message: tag.message,
      target: tag.targetId,
      commit: viewCommit(commit!, projectUrl(this.settings.EXTERNAL_URL, project)),
      release: null,
      protected: false,
    };
  }
}
