import {
  type ContextOf,
  createSnippet,
  deleteSnippet,
  forbidden,
  getRawSnippet,
  getRawSnippetFile,
  getSnippet,
  getSnippetUserAgent,
  listPublicSnippets,
  listSnippets,
  type ParsedOf,
  readSnippetFiles,
  updateSnippet,
} from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { viewUserAgent } from '../user-agent/user-agent.view';
import { FindSnippet } from './find-snippet';
import { SendSnippetFile } from './send-snippet-file';
import { Snippets } from './snippet.repository';
import { SnippetViews } from './snippet-views';
import { WriteSnippet } from './write-snippet';

/** Snippets by id alone, mostly personal ones. */
@Controller()
export class SnippetOperations {
  constructor(
    private readonly snippets: Snippets,
    private readonly finding: FindSnippet,
    private readonly writing: WriteSnippet,
    private readonly sending: SendSnippetFile,
    private readonly views: SnippetViews,
  ) {}

  @Handles(listSnippets)
  async list({ caller }: ContextOf<typeof listSnippets>, input: ParsedOf<typeof listSnippets>) {
    return this.views.page(await this.snippets.listOwn(caller, input));
  }

  @Handles(listPublicSnippets)
  async listPublic(_: ContextOf<typeof listPublicSnippets>, input: ParsedOf<typeof listPublicSnippets>) {
    return this.views.page(await this.snippets.listPublic(input));
  }

  @Handles(getSnippet)
  async get({ caller }: ContextOf<typeof getSnippet>, { id }: ParsedOf<typeof getSnippet>) {
    return this.views.viewOne(await this.finding.findReadable(id, caller));
  }

  @Handles(getRawSnippet)
  async raw({ caller }: ContextOf<typeof getRawSnippet>, { id }: ParsedOf<typeof getRawSnippet>) {
    return this.sending.sendFirst(await this.finding.findReadable(id, caller));
  }

  @Handles(getRawSnippetFile)
  async rawFile({ caller }: ContextOf<typeof getRawSnippetFile>, input: ParsedOf<typeof getRawSnippetFile>) {
    return this.sending.sendOne(await this.finding.findReadable(input.id, caller), input.ref, input.file_path);
  }

  @Handles(readSnippetFiles)
  async readFiles(
    { caller }: ContextOf<typeof readSnippetFiles>,
    { id, characters }: ParsedOf<typeof readSnippetFiles>,
  ) {
    await this.finding.findReadable(id, caller);
    const files = (await this.snippets.getWithContent(id))?.files ?? [];
    const share = Math.floor(characters / files.length);
    return files.map(({ path, content }) => ({
      path,
      text: content.slice(0, share),
      is_whole: content.length <= share,
    }));
  }

  @Handles(createSnippet)
  async create({ caller, client }: ContextOf<typeof createSnippet>, input: ParsedOf<typeof createSnippet>) {
    if (caller.isExternal) throw forbidden();
    return this.views.viewOne(await this.writing.create(caller, null, input, client));
  }

  @Handles(updateSnippet)
  async update({ caller }: ContextOf<typeof updateSnippet>, input: ParsedOf<typeof updateSnippet>) {
    const { _id } = await this.finding.findEditable(input.id, caller);
    return this.views.viewOne(await this.writing.change(_id, input, caller));
  }

  @Handles(deleteSnippet)
  async delete({ caller }: ContextOf<typeof deleteSnippet>, { id }: ParsedOf<typeof deleteSnippet>) {
    await this.writing.remove(await this.finding.findEditable(id, caller));
  }

  @Handles(getSnippetUserAgent)
  async userAgent(_: ContextOf<typeof getSnippetUserAgent>, { id }: ParsedOf<typeof getSnippetUserAgent>) {
    return viewUserAgent((await this.snippets.getById(id)).userAgent);
  }
}
