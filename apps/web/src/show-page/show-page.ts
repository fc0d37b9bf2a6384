import { type ContextOf, commonErrors, getProject, type ParsedOf, type Reply, showPage } from '@moothall/contracts';
import { Handles, KnownAppearance } from '@moothall/messaging';
import { redirectTo, renderPage, withReturn } from '@moothall/pages';
import { Controller } from '@nestjs/common';
import type { Content, Moved } from '../page/page';
import { namespacePages, projectPages, sitePages } from '../pages';
import { invalidRequest } from '../pages/invalid-request';
import { notFound } from '../pages/not-found';
import { isUnseen, type Visit, Visits } from '../visit/visits';
import { type RequestAddress, type ResourceAddress, requestAddressOf, resourceAddressOf } from './resource-address';
import { Routes } from './routes';

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
    const content = refused ? refusal(visit, path, refused) : await contentAt(visit, path);
    if ('movedTo' in content) return redirectTo(content.movedTo, visit.headers);
    return renderPage({ ...content, viewer: visit.viewer, headers: visit.headers, appearance });
  }
}

const refusal = (visit: Visit, path: string, status: number): Content =>
  status === 404 ? notFound(visit, path) : invalidRequest(status);

/** The page of an address; that of a missing one if the visitor may not see it. */
async function contentAt(visit: Visit, path: string): Promise<Content | Moved> {
  const found = await find(visit, requestAddressOf(path)).catch((error: unknown) => {
    if (!isUnseen(error)) throw error;
  });
  return found ?? notFound(visit, path);
}

async function find(visit: Visit, address: RequestAddress): Promise<Content | Moved | undefined> {
  const sitePage = sitePages.find(({ at }) => at === address.pathname);
  if (sitePage) return sitePage.show(visit, address);
  const resource = resourceAddressOf(address);
  if (!resource) return undefined;
  const found = (await inProjectAt(visit, resource, address)) ?? (await inNamespaceAt(visit, resource, address));
  return found && 'movedTo' in found ? { movedTo: `/${found.movedTo}${resource.rest}` } : found;
}

/** Projects and subgroups have paths with a slash, others have not. */
async function inProjectAt(visit: Visit, { fullPath, below }: ResourceAddress, address: RequestAddress) {
  const project = fullPath.includes('/') ? await visit.askIfSeen(getProject, { id: fullPath }) : undefined;
  if (!project) return undefined;
  if (project.path_with_namespace !== fullPath) return { movedTo: project.path_with_namespace };
  const route = projectRoutes.find(below, address);
  if (!route) throw commonErrors.notFound();
  return route.entry.show(visit, project, route.address);
}

async function inNamespaceAt(visit: Visit, { fullPath }: ResourceAddress, address: RequestAddress) {
  for (const show of namespacePages) {
    const content = await show(visit, fullPath, address);
    if (content) return content;
  }
  return undefined;
}
