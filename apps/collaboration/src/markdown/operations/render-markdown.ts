import { type ContextOf, namedNotFound, type ParsedOf, renderMarkdown, renderMarkdownFile } from '@moothall/contracts';
import { Handles, shareOfClient } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { Markdown } from '../markdown';
import { FindTargets } from './find-targets';

/** Renders a text to HTML. See docs/api/markdown.md#1. */
@Controller()
export class RenderMarkdown {
  constructor(
    private readonly markdown: Markdown,
    private readonly targets: FindTargets,
  ) {}

  @Handles(renderMarkdown)
  async render(
    context: ContextOf<typeof renderMarkdown>,
    { text, gfm, project: path }: ParsedOf<typeof renderMarkdown>,
  ) {
    const { caller, requestId, client } = context;
    const project = path === undefined ? undefined : await this.targets.findProject(path, caller);
    if (path !== undefined && !project) throw namedNotFound('Project');
    const who = shareOfClient(caller, client?.ip ?? '');
    const reader = { requestId, caller, project };
    const html = await this.markdown.render(text, who, gfm ? (all) => this.targets.all(all, reader) : undefined);
    return { html };
  }

  @Handles(renderMarkdownFile)
  async renderFile(
    context: ContextOf<typeof renderMarkdownFile>,
    { text, ...relative }: ParsedOf<typeof renderMarkdownFile>,
  ) {
    const { caller, requestId, client, project } = context;
    const who = shareOfClient(caller, client?.ip ?? '');
    const reader = { requestId, caller, project };
    return { html: await this.markdown.render(text, who, (all) => this.targets.all(all, reader), relative) };
  }
}
