import {
  type ContextOf,
  markdownErrors,
  namedNotFound,
  type ParsedOf,
  type ProjectRef,
  renderMarkdown,
  renderMarkdownTexts,
} from '@moothall/contracts';
import { Handles, shareOfClient } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { Markdown } from '../markdown';
import type { Reference } from '../references-in';
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
    const find = (all: readonly Reference[]) => this.targets.all(all, reader);
    const shown = project && { roots: { uploads: uploadsOf(project) } };
    const [html] = gfm ? await this.markdown.render([text], who, find, shown) : await this.markdown.render([text], who);
    if (html == null) throw markdownErrors.tooMuch();
    return { html };
  }

  @Handles(renderMarkdownTexts)
  async renderTexts(
    context: ContextOf<typeof renderMarkdownTexts>,
    { texts, relative }: ParsedOf<typeof renderMarkdownTexts>,
  ) {
    const { caller, requestId, client, project } = context;
    const who = shareOfClient(caller, client?.ip ?? '');
    const find = (all: readonly Reference[]) => this.targets.all(all, { requestId, caller, project });
    const shown = { roots: { uploads: uploadsOf(project), relative }, anchors: true };
    return this.markdown.render(texts, who, find, shown);
  }
}

/** The path of the uploaded files of a project. */
const uploadsOf = ({ id }: Pick<ProjectRef, 'id'>): string => `/-/project/${id}/uploads`;
