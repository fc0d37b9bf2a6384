import { type ContextOf, type ParsedOf, type Reply, showPage } from '@moothall/contracts';
import { Handles, KnownAppearance } from '@moothall/messaging';
import { redirectTo, renderPage, withReturn } from '@moothall/pages';
import { Controller } from '@nestjs/common';
import type { Content, Moved } from '../page/page';
import { formTooLarge } from '../pages/form-too-large';
import { invalidRequest } from '../pages/invalid-request';
import { notFound } from '../pages/not-found';
import { unlessUnseen, type Visit, Visits } from '../visit/visits';
import { findPage } from './find-page';
import { requestAddressOf } from './resource-address';

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
    { path, refused, limit_bytes }: ParsedOf<typeof showPage>,
  ): Promise<Reply<string>> {
    const [visit, appearance] = await Promise.all([this.visits.begin(context), this.appearance.read()]);
    if (visit.isPasswordDue && !refused) return redirectTo(withReturn('/-/profile/password', path), visit.headers);
    const content = refused ? refusal(visit, path, refused, limit_bytes) : await contentAt(visit, path);
    if ('movedTo' in content) return redirectTo(content.movedTo, visit.headers);
    const headers = { ...content.headers, ...visit.headers };
    const target = { path: requestAddressOf(path).pathname, accessLevel: content.accessLevel };
    return renderPage({ ...content, target, viewer: visit.viewer, headers, appearance });
  }
}

function refusal(visit: Visit, path: string, status: number, limitBytes = 0): Content {
  if (status === 413) return formTooLarge(limitBytes);
  return status === 404 ? notFound(visit, path) : invalidRequest(status);
}

/** The page of an address; that of a missing one if the visitor may not see it. */
const contentAt = async (visit: Visit, path: string): Promise<Content | Moved> =>
  (await shownAt(visit, path).catch(unlessUnseen)) ?? notFound(visit, path);

async function shownAt(visit: Visit, path: string): Promise<Content | Moved | undefined> {
  const page = await findPage(visit, requestAddressOf(path));
  return page?.show();
}
