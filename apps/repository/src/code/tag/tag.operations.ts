import {
  Access,
  type ContextOf,
  createTag,
  deleteTag,
  getTag,
  listTags,
  type OutputOf,
  only,
  type ParsedOf,
  type ProjectRef,
  pageOf,
  protectionErrors,
  releasesOfTags,
  tagFacts,
} from '@moothall/contracts';
import { Handles, RecordsClient } from '@moothall/messaging';
import { type ServiceSettings, settingsToken } from '@moothall/service';
import { Controller, Inject } from '@nestjs/common';
import type { Tag } from '../../git/refs/tags';
import { ProtectedRefs } from '../../protection/protected-ref.repository';
import { actorOf } from '../../protection/protections';
import { CodeWriter, personOf } from '../../push/code-writer';
import { type Located, Storages } from '../../storage/storages';
import { projectUrl, viewCommit } from '../commit/commit.view';
import { sortTags } from './sort-tags';

type TagView = OutputOf<typeof getTag>;

@Controller()
export class TagOperations {
  constructor(
    private readonly storages: Storages,
    private readonly writer: CodeWriter,
    private readonly refs: ProtectedRefs,
    private readonly records: RecordsClient,
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
    return only(await this.viewAll(project, [await engine.tags.get(path, tag_name)]));
  }

  @Handles(createTag)
  async create(context: ContextOf<typeof createTag>, { tag_name, ref, message }: ParsedOf<typeof createTag>) {
    const { project, caller } = context;
    const protections = await this.refs.readProtections(project.id, { kind: 'tag', names: [tag_name] });
    if (!protections.canCreateTag(tag_name, actorOf(project, caller))) throw protectionErrors.tagRefused();
    const annotation = message ? { message, tagger: personOf(caller) } : undefined;
    const create = ({ engine, path }: Located) => engine.tags.create(path, tag_name, ref, annotation);
    return only(await this.viewNew(project, [await this.writer.change(context, create)]));
  }

  @Handles(deleteTag)
  async remove(context: ContextOf<typeof deleteTag>, { tag_name }: ParsedOf<typeof deleteTag>) {
    await this.writer.change(context, async ({ engine, path }) => {
      const { name } = await engine.tags.get(path, tag_name);
      const protections = await this.refs.readProtections(context.project.id, { kind: 'tag', names: [name] });
      if (protections.isProtected('tag', name) && context.project.accessLevel < Access.Maintainer)
        throw protectionErrors.tagKept();
      await engine.tags.remove(path, name);
    });
  }

  @Handles(tagFacts)
  async facts({ project }: ContextOf<typeof tagFacts>, { names, is_admin }: ParsedOf<typeof tagFacts>) {
    const { engine, path } = this.storages.locate(project);
    const [protections, refs] = await Promise.all([
      this.refs.readProtections(project.id, { kind: 'tag', names }),
      Promise.all(names.map((name) => engine.refs.find(path, 'tags', name))),
    ]);
    const found = refs.filter((ref) => ref !== null);
    const commits = await engine.commits.list(
      path,
      found.flatMap(({ commitId }) => commitId ?? []),
    );
    const url = projectUrl(this.settings.EXTERNAL_URL, project);
    const byId = new Map(commits.map((commit) => [commit.id, viewCommit(commit, url)]));
    const actor = { accessLevel: project.accessLevel, isAdmin: is_admin };
    return found.map(({ name, commitId }) => ({
      name,
      commit: byId.get(commitId ?? '') ?? null,
      may_create: protections.canCreateTag(name, actor),
    }));
  }

  /** With its release. */
  private async viewAll(project: ProjectRef, tags: Tag[]): Promise<TagView[]> {
    if (tags.length === 0) return [];
    const asked = { project_id: project.id, tag_names: tags.map(({ name }) => name) };
    const [views, releases] = await Promise.all([
      this.viewNew(project, tags),
      this.records.call(releasesOfTags, asked),
    ]);
    const byTag = new Map(releases.map((release) => [release.tag_name, release]));
    return views.map((view) => ({ ...view, release: byTag.get(view.name) ?? null }));
  }

  private async viewNew(project: ProjectRef, tags: Tag[]): Promise<TagView[]> {
    const { engine, path } = this.storages.locate(project);
    const protections = await this.refs.readShown(project.id, { kind: 'tag', names: tags.map(({ name }) => name) });
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
