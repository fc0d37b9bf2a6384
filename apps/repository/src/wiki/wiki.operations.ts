import {
  attachToWiki,
  type Caller,
  type ContextOf,
  contentErrors,
  createWikiPage,
  deleteWikiPage,
  getWikiAttachment,
  getWikiDiff,
  getWikiPage,
  listSomeWikiPages,
  listWikiPages,
  type ParsedOf,
  type ProjectRef,
  pageOf,
  updateWikiPage,
  wikiAttachmentLimit,
  wikiErrors,
  window,
} from '@moothall/contracts';
import { DataPort, UploadedFiles } from '@moothall/data-port';
import { Handles, shareOf } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { personOf, requireWritable } from '../push/code-writer';
import { PushJournal } from '../push/push-journal';
import { ensureWiki } from '../storage/ensure-wiki';
import { Storages } from '../storage/storages';
import { WriteGate } from '../storage/write-gate';
import { type WikiAuthor, type WikiPage, WikiStore } from '../wiki-pages/wiki-store';

interface Writing {
  project: ProjectRef;
  caller: Caller;
}

@Controller()
export class WikiOperations {
  constructor(
    private readonly storages: Storages,
    private readonly journal: PushJournal,
    private readonly gate: WriteGate,
    private readonly files: UploadedFiles,
    private readonly dataPort: DataPort,
  ) {}

  @Handles(listWikiPages)
  async list({ project }: ContextOf<typeof listWikiPages>, { with_content }: ParsedOf<typeof listWikiPages>) {
    const wiki = await this.read(project);
    return wiki ? (await wiki.store.list(wiki.path, with_content)).map(viewPage) : [];
  }

  @Handles(listSomeWikiPages)
  async listSome(
    { project }: ContextOf<typeof listSomeWikiPages>,
    { with_slug, page, per_page }: ParsedOf<typeof listSomeWikiPages>,
  ) {
    const wiki = await this.read(project);
    const all = wiki ? await wiki.store.list(wiki.path) : [];
    const at = all.findIndex(({ slug }) => slug === with_slug);
    const { limit } = window({ page, per_page });
    const part = pageOf(all, { page: at < 0 ? page : Math.floor(at / limit) + 1, per_page });
    return { ...part, items: part.items.map(({ slug, title }) => ({ slug, title })) };
  }

  @Handles(getWikiPage)
  async get({ project }: ContextOf<typeof getWikiPage>, { slug }: ParsedOf<typeof getWikiPage>) {
    const wiki = await this.read(project);
    if (!wiki) throw wikiErrors.pageNotFound();
    return viewPage(await wiki.store.get(wiki.path, slug));
  }

  @Handles(getWikiDiff)
  async diff({ project }: ContextOf<typeof getWikiDiff>, input: ParsedOf<typeof getWikiDiff>) {
    const { engine, path } = this.storages.locate(project, 'wiki');
    const commit = (await engine.storage.exists(path)) && (await engine.commits.find(path, input.version_id));
    if (!commit) throw contentErrors.commitNotFound();
    const { diffs } = await engine.diffs.compareWithParent(path, commit.id);
    return pageOf(diffs, input);
  }

  /** The URL is the one for blobs. */
  @Handles(getWikiAttachment)
  async attachment(context: ContextOf<typeof getWikiAttachment>, { file_path }: ParsedOf<typeof getWikiAttachment>) {
    const { id, storage } = context.project;
    const wiki = await this.read(context.project);
    const file = await wiki?.store.findAttachment(wiki.path, file_path);
    if (!file) throw contentErrors.fileNotFound();
    return this.dataPort.presign('blob', { project: { id, storage }, kind: 'wiki', ...file, who: shareOf(context) });
  }

  @Handles(createWikiPage)
  async create(context: ContextOf<typeof createWikiPage>, { title, content, format }: ParsedOf<typeof createWikiPage>) {
    return viewPage(
      await this.write(context, (store, path, author) => store.create(path, { title, content, format }, author)),
    );
  }

  @Handles(updateWikiPage)
  async update(context: ContextOf<typeof updateWikiPage>, input: ParsedOf<typeof updateWikiPage>) {
    // The default of the v4 interface. See docs/api/wikis.md#1.
    const { slug, title, content, format = 'markdown' } = input;
    return viewPage(
      await this.write(context, (store, path, author) => store.update(path, slug, { title, content, format }, author)),
    );
  }

  @Handles(deleteWikiPage)
  async remove(context: ContextOf<typeof deleteWikiPage>, { slug }: ParsedOf<typeof deleteWikiPage>) {
    await this.write(context, (store, path, author) => store.remove(path, slug, author));
  }

  @Handles(attachToWiki)
  async attach(context: ContextOf<typeof attachToWiki>, { file, branch }: ParsedOf<typeof attachToWiki>) {
    const upload = this.files.open(file, wikiAttachmentLimit);
    const content = await upload.bytes();
    const attached = await this.write(context, (store, path, author) =>
      store.attach(path, { name: upload.filename, content, branch }, author),
    );
    return {
      file_name: attached.fileName,
      file_path: attached.filePath,
      branch: attached.branch,
      link: { url: attached.filePath, markdown: attached.markdown },
    };
  }

  /** Null before the first write. */
  private async read(project: ProjectRef) {
    const { engine, path } = this.storages.locate(project, 'wiki');
    return (await engine.storage.exists(path)) ? { store: new WikiStore(engine), path } : null;
  }

  private async write<T>(
    { project, caller }: Writing,
    change: (store: WikiStore, path: string, author: WikiAuthor) => Promise<T>,
  ): Promise<T> {
    requireWritable(project);
    const author = { ...personOf(caller), username: caller.username };
    return this.gate.write(project, () =>
      this.journal.changeAs({ project, caller, kind: 'wiki' }, async ({ engine, path }) => {
        await ensureWiki(engine, path, project.id);
        return change(new WikiStore(engine), path, author);
      }),
    );
  }
}

const viewPage = ({ slug, title, format, content }: WikiPage) => ({
  ...(content !== null && { content }),
  format,
  slug,
  title,
  encoding: 'UTF-8',
});
