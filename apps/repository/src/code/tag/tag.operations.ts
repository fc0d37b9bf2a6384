import {
  Access,
  type ContextOf,
  createTag,
  deleteTag,
  getTag,
  listTags,
  only,
  type ParsedOf,
  type ProjectRef,
  pageOf,
  protectionErrors,
} from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { type ServiceSettings, settingsToken } from '@moothall/service';
import { Controller, Inject } from '@nestjs/common';
import type { Tag } from '../../git/refs/tags';
import { ProtectedRefs } from '../../protection/protected-ref.repository';
import { actorOf } from '../../protection/protections';
import { CodeWriter, personOf } from '../../push/code-writer';
import { type Located, Storages } from '../../storage/storages';
import { projectUrl, viewCommit } from '../commit/commit.view';
import { sortTags } from './sort-tags';

@Controller()
export class TagOperations {
  constructor(
    private readonly storages: Storages,
    private readonly writer: CodeWriter,
    private readonly refs: ProtectedRefs,
    @Inject(settingsToken) private readonly settings: ServiceSettings,
  ) {}

  @Handles(listTags)
  async list({ project }: ContextOf<typeof listTags>, input: ParsedOf<typeof listTags>) {
    const located = this.storages.locate(project);
    const tags = await located.engine.tags.list(located.path, input.search);
    const { items } = pageOf(await sortTags(located, tags, input.order_by, input.sort), input);
    return { items: await this.viewAll(project, items), total: tags.length };
  }

  @Handles(getTag)
  async get({ project }: ContextOf<typeof getTag>, { tag_name }: ParsedOf<typeof getTag>) {
    const { engine, path } = this.storages.locate(project);
    return this.viewOne(project, await engine.tags.get(path, tag_name));
  }

  @Handles(createTag)
  async create(context: ContextOf<typeof createTag>, { tag_name, ref, message }: ParsedOf<typeof createTag>) {
    const { project, caller } = context;
    const protections = await this.refs.readProtections(project.id);
    if (!protections.canCreateTag(tag_name, actorOf(project, caller))) throw protectionErrors.tagRefused();
    const annotation = message ? { message, tagger: personOf(caller) } : undefined;
    const create = ({ engine, path }: Located) => engine.tags.create(path, tag_name, ref, annotation);
    return this.viewOne(project, await this.writer.change(context, create));
  }

  @Handles(deleteTag)
  async remove(context: ContextOf<typeof deleteTag>, { tag_name }: ParsedOf<typeof deleteTag>) {
    const protections = await this.refs.readProtections(context.project.id);
    await this.writer.change(context, async ({ engine, path }) => {
      const { name } = await engine.tags.get(path, tag_name);
      if (protections.isProtected('tag', name) && context.project.accessLevel < Access.Maintainer)
        throw protectionErrors.tagKept();
      await engine.tags.remove(path, name);
    });
  }

  private async viewOne(project: ProjectRef, tag: Tag) {
    return only(await this.viewAll(project, [tag]));
  }

  private async viewAll(project: ProjectRef, tags: Tag[]) {
    const { engine, path } = this.storages.locate(project);
    const protections = await this.refs.readProtections(project.id);
    const url = projectUrl(this.settings.EXTERNAL_URL, project);
    return Promise.all(
      tags.map(async (tag) => ({
        name: tag.name,
        message: tag.message,
        target: tag.targetId,
        commit: viewCommit(await engine.commits.require(path, tag.commitId ?? tag.targetId), url),
        release: null,
        protected: protections.isProtected('tag', tag.name),
      })),
    );
  }
}
