import { type ContextOf, type ParsedOf, type Reply, showPage } from '@moothall/contracts';
import { Handles, KnownAppearance } from '@moothall/messaging';
import { redirectTo, renderPage, withReturn } from '@moothall/pages';
import { Controller } from '@nestjs/common';
import type { Address, Content } from '../page/page';
import { namespacePages, sitePages } from '../pages';
import { invalidRequest } from '../pages/invalid-request';
import { notFound } from '../pages/not-found';
import { isUnseen, type Visit, Visits } from '../visit/visits';
import { fullPathOf } from './full-path';

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
  const [pathname = ''] = path.split('?', 1);
  const address: Address = { path, query: new URLSearchParams(path.slice(pathname.length)) };
  const sitePage = sitePages.find(({ at }) => at === pathname);
  if (sitePage) return sitePage.show(visit, address);
  const fullPath = fullPathOf(pathname);
  if (fullPath === undefined) return undefined;
  for (const show of namespacePages) {
    const content = await show(visit, fullPath, address);
    if (content) return content;
  }
  return undefined;
}
