import { present, wikiErrors } from '@moothall/contracts';
import type { GitEngine } from '../git/engine';
import type { Person } from '../git/objects/person';
import type { ListedEntry } from '../git/objects/tree';
import { GitError } from '../git/process/errors';
import { decodeText } from '../git/process/text';
import type { FileAction } from '../git/write/write-commit';
import { type Attachment, placeAttachment } from './attachment';
import { fileOf, isAttachment, pageOf, renamedSlug, slugOf, titleOf, type WikiFormat } from './page-path';

export interface WikiPage {
  slug: string;
  title: string;
  format: WikiFormat;
  /** Null if a list was requested without contents. */
  content: string | null;
}

/** The author, in the form of commits and of events. */
export interface WikiAuthor extends Person {
  username: string;
}

interface PageFile extends WikiPage {
  path: string;
  blobId: string;
}

const MAX_PAGE_BYTES = 5 << 20;
/** As JSON, which needs up to six bytes per byte; below the size limit of NATS messages. */
const MAX_ANSWER_BYTES = 7 << 20;
const LOADED_AT_ONCE = 10;

/** A wiki: the pages of a git repository; each write is a commit in the writer's name. @see docs/api/wikis.md#1 */
export class WikiStore {
  constructor(private readonly git: Pick<GitEngine, 'commits' | 'trees' | 'objects' | 'commitWriter' | 'storage'>) {}

  /** All pages, by slug; with contents as far as they fit into one answer. */
  async list(repository: string, withContent = false): Promise<WikiPage[]> {
    const files = await this.files(repository);
    return withContent ? this.loadAll(repository, files) : files.map(view);
  }

  /** @throws page_not_found, object_too_large for a pushed page above the size limit */
  async get(repository: string, slug: string): Promise<WikiPage> {
    const page = await this.load(repository, await this.require(repository, slug));
    if (bytesInAnswer(page) > MAX_ANSWER_BYTES) throw new GitError('object_too_large');
    return page;
  }

  /** @throws page_duplicate, and the errors title_* and content_* */
  async create(
    repository: string,
    page: { title: string; content: string; format?: WikiFormat | undefined },
    author: WikiAuthor,
  ): Promise<WikiPage> {
    const { title, content, format = 'markdown' } = page;
    const slug = slugOf(title);
    checkContent(content);
    await this.requireFree(repository, slug);
    const message = `${author.username} created page: ${titleOf(slug)}`;
    await this.commit(repository, message, author, [{ action: 'create', filePath: fileOf(slug, format), content }]);
    return { slug, title: titleOf(slug), format, content };
  }

  /**
   * Changes content, title or format; a new title or format moves the file.
   * @throws page_not_found, page_duplicate, and the errors title_* and content_*
   */
  async update(
    repository: string,
    slug: string,
    change: { title?: string | undefined; content?: string | undefined; format?: WikiFormat | undefined },
    author: WikiAuthor,
  ): Promise<WikiPage> {
    const page = await this.require(repository, slug);
    if (change.content !== undefined) checkContent(change.content);
    const target = change.title === undefined ? slug : renamedSlug(slug, change.title);
    const format = change.format ?? page.format;
    if (target !== slug) await this.requireFree(repository, target);
    const filePath = format === page.format && target === slug ? page.path : fileOf(target, format);
    const action: FileAction =
      filePath === page.path
        ? { action: 'update', filePath, content: change.content ?? (await this.readText(repository, page)) }
        : { action: 'move', previousPath: page.path, filePath, content: change.content };
    await this.commit(repository, `${author.username} updated page: ${titleOf(target)}`, author, [action]);
    return this.get(repository, target);
  }

  /** @throws page_not_found */
  async remove(repository: string, slug: string, author: WikiAuthor): Promise<void> {
    const page = await this.require(repository, slug);
    const message = `${author.username} deleted page: ${page.title}`;
    await this.commit(repository, message, author, [{ action: 'delete', filePath: page.path }]);
  }

  /** Stores a file under `uploads/` of a branch, by default the wiki's own. */
  async attach(
    repository: string,
    file: { name: string; content: Buffer; branch?: string | undefined },
    author: WikiAuthor,
  ): Promise<Attachment & { branch: string }> {
    const attachment = placeAttachment(file.name);
    const branch = file.branch ?? (await this.branch(repository));
    const actions: FileAction[] = [{ action: 'create', filePath: attachment.filePath, content: file.content }];
    await this.commit(repository, `Upload attachment ${attachment.fileName}`, author, actions, branch);
    return { ...attachment, branch };
  }

  /** The blob of an attachment on the wiki's own branch. */
  async findAttachment(repository: string, path: string): Promise<{ blobId: string; fileName: string } | undefined> {
    const head = isAttachment(path) ? await this.git.commits.find(repository) : null;
    const entry = head && (await this.git.trees.find(repository, head.treeId, path));
    return entry?.type === 'blob' ? { blobId: entry.id, fileName: entry.name } : undefined;
  }

  private async files(repository: string): Promise<PageFile[]> {
    const files = await this.filesBelow(repository, { recursive: true });
    return files.sort((a, b) => (a.slug < b.slug ? -1 : 1));
  }

  /** Only the page's folder is read: a wiki may have many thousands of pages. */
  private async find(repository: string, slug: string): Promise<PageFile | undefined> {
    const files = await this.filesBelow(repository, { path: slug.slice(0, slug.lastIndexOf('/') + 1) });
    return files.find((file) => file.slug === slug);
  }

  private async filesBelow(repository: string, where: { path?: string; recursive?: boolean }): Promise<PageFile[]> {
    const head = await this.git.commits.find(repository);
    const limit = Number.MAX_SAFE_INTEGER;
    const listing = head && (await this.git.trees.list(repository, head.treeId, { ...where, limit }));
    return listing?.entries.flatMap((entry) => pageFile(entry) ?? []) ?? [];
  }

  private async require(repository: string, slug: string): Promise<PageFile> {
    const file = await this.find(repository, slug);
    if (!file) throw wikiErrors.pageNotFound();
    return file;
  }

  private async requireFree(repository: string, slug: string): Promise<void> {
    if (await this.find(repository, slug)) throw wikiErrors.pageDuplicate();
  }

  private async load(repository: string, file: PageFile): Promise<WikiPage> {
    return { ...view(file), content: await this.readText(repository, file) };
  }

  private async readText(repository: string, file: PageFile): Promise<string> {
    const blob = await this.git.objects.read(repository, file.blobId, MAX_PAGE_BYTES);
    return decodeText(present(blob, `the page ${file.path}`).content);
  }

  private async loadAll(repository: string, files: readonly PageFile[]): Promise<WikiPage[]> {
    const pages: WikiPage[] = [];
    let roomBytes = MAX_ANSWER_BYTES;
    for (let start = 0; start < files.length; start += LOADED_AT_ONCE) {
      const some = files.slice(start, start + LOADED_AT_ONCE);
      const loaded = roomBytes > 0 ? some.map((file) => this.loadSmall(repository, file)) : some.map(view);
      for (const page of await Promise.all(loaded)) {
        roomBytes -= bytesInAnswer(page);
        pages.push(roomBytes < 0 ? { ...page, content: null } : page);
      }
    }
    return pages;
  }

  /** Without content above the size limit, so that one page does not break the list. */
  private async loadSmall(repository: string, file: PageFile): Promise<WikiPage> {
    return this.load(repository, file).catch((error: unknown) => {
      if (error instanceof GitError && error.reason === 'object_too_large') return view(file);
      throw error;
    });
  }

  private async branch(repository: string): Promise<string> {
    return (await this.git.storage.defaultBranch(repository)) ?? 'master';
  }

  private async commit(
    repository: string,
    message: string,
    author: WikiAuthor,
    actions: FileAction[],
    branch?: string | undefined,
  ): Promise<void> {
    const target = branch ?? (await this.branch(repository));
    try {
      await this.git.commitWriter.write(repository, { branch: target, message, author, committer: author, actions });
    } catch (error) {
      throw explain(error);
    }
  }
}

/** Null for folders, links, submodules and files that are not pages. */
function pageFile({ type, mode, path, id }: ListedEntry): PageFile | null {
  const page = type === 'blob' && mode.startsWith('100') ? pageOf(path) : null;
  return page && { ...page, title: titleOf(page.slug), content: null, path, blobId: id };
}

/** Converts errors caused by a concurrent write. */
function explain(error: unknown): unknown {
  if (!(error instanceof GitError)) return error;
  if (error.reason === 'file_exists' || error.reason === 'directory_exists') return wikiErrors.pageDuplicate();
  if (error.reason === 'file_missing') return wikiErrors.pageNotFound();
  if (error.reason === 'path_invalid' || error.reason === 'file_in_the_way') return wikiErrors.titleInvalid();
  return error;
}

function checkContent(content: string): void {
  if (content.trim() === '') throw wikiErrors.contentBlank();
  if (Buffer.byteLength(content) > MAX_PAGE_BYTES) throw wikiErrors.contentTooLong();
}

const bytesInAnswer = ({ content }: WikiPage): number => Buffer.byteLength(JSON.stringify(content ?? ''));

function view({ slug, title, format }: PageFile): WikiPage {
  return { slug, title, format, content: null };
}
