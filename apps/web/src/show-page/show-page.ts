import { type ContextOf, getProject, type ParsedOf, type Reply, showPage } from '@moothall/contracts';
import { Handles, KnownAppearance } from '@moothall/messaging';
import { redirectTo, renderPage, withReturn } from '@moothall/pages';
import { Controller } from '@nestjs/common';
import type { Content } from '../page/page';
import { namespacePages, projectPages, sitePages } from '../pages';
import { invalidRequest } from '../pages/invalid-request';
import { notFound } from '../pages/not-found';
import { isUnseen, type Visit, Visits } from '../visit/visits';
import { resourceAddressOf } from './resource-address';
import { addressOf, Routes } from './routes';

const projectRoutes = new Routes(projectPages);

/** Answers every address that has no route of its own. */
@Controller()
export class ShowPage {
  constructor(
    private readonly visits: Visits,
    private readonly appearance: KnownAppearance,
  ) {}

  @Handles(showPage)
  async show(
    context: ContextOf<typeof showPage>,
    { path, refused }: ParsedOf<typeof showPage>,
  ): Promise<Reply<string>> {
    const [visit, appearance] = await Promise.all([this.visits.begin(context), this.appearance.read()]);
    if (visit.isPasswordDue && !refused) return redirectTo(withReturn('/-/profile/password', path), visit.headers);
    const content = await contentOf(visit, path, refused);
    return renderPage({ ...content, viewer: visit.viewer, headers: visit.headers, appearance });
  }
}

async function contentOf(visit: Visit, path: string, refused: number | undefined): Promise<Content> {
  if (refused) return refused === 404 ? notFound(visit, path) : invalidRequest(refused);
  const found = await contentAt(visit, path).catch((error: unknown) => {
    if (!isUnseen(error)) throw error;
  });
  return found ?? notFound(visit, path);
}

async function contentAt(visit: Visit, path: string): Promise<Content | undefined> {
  const { pathname, ...address } = addressOf(path);
  const sitePage = sitePages.find(({ at }) => at === pathname);
  if (sitePage) return sitePage.show(visit, address);
  const resource = resourceAddressOf(pathname);
  if (!resource) return undefined;
  const { fullPath, below } = resource;
  const found = projectRoutes.find(below, address);
  if (found) {
    const project = await visit.ask(getProject, { id: fullPath });
    return found.entry.show(visit, project, found.address);
  }
  for (const show of namespacePages) {
    const content = await show(visit, fullPath, address);
    if (content) return content;
  }
  return undefined;
}
