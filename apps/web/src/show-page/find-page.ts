import { commonErrors, getProject } from '@moothall/contracts';
import type { RefusedForm } from '../forms/refused-form';
import type { SentForm } from '../forms/sent-form';
import type { Content, Moved } from '../page/page';
import { namespacePages, projectPages, sitePages } from '../pages';
import type { Visit } from '../visit/visits';
import { type RequestAddress, type ResourceAddress, resourceAddressOf } from './resource-address';
import { Routes } from './routes';

const projectRoutes = new Routes(projectPages);

/** The page of an address. */
export interface FoundPage {
  /** @param refused its form that was refused */
  show(refused?: RefusedForm): Promise<Content | Moved | undefined>;
  /** How a form of the page is taken; undefined if the page has no such form. */
  takes?(sent: SentForm): (() => Promise<string>) | undefined;
}

/** @throws as the operations of the page */
export async function findPage(visit: Visit, address: RequestAddress): Promise<FoundPage | undefined> {
  const sitePage = sitePages.find(({ at }) => at === address.pathname);
  if (sitePage) return { show: () => sitePage.show(visit, address) };
  const resource = resourceAddressOf(address);
  if (!resource) return undefined;
  return (await inProjectAt(visit, resource, address)) ?? (await inNamespaceAt(visit, resource, address));
}

/** Projects and subgroups have paths with a slash, others have not. */
async function inProjectAt(
  visit: Visit,
  { fullPath, below, rest }: ResourceAddress,
  address: RequestAddress,
): Promise<FoundPage | undefined> {
  const project = fullPath.includes('/') ? await visit.askIfSeen(getProject, { id: fullPath }) : undefined;
  if (!project) return undefined;
  const route = projectRoutes.find(below, address);
  if (!route) throw commonErrors.notFound();
  const { entry, address: at } = route;
  const now = project.path_with_namespace;
  return {
    show: async (refused) =>
      now === fullPath ? entry.show(visit, project, { ...at, refused }) : { movedTo: `/${now}${rest}` },
    takes: (sent) => {
      const take = new Map(Object.entries(entry.forms ?? {})).get(sent.text('form'));
      return take && (() => take(visit, project, at, sent));
    },
  };
}

async function inNamespaceAt(
  visit: Visit,
  { fullPath, rest }: ResourceAddress,
  address: RequestAddress,
): Promise<FoundPage | undefined> {
  for (const show of namespacePages) {
    const content = await show(visit, fullPath, address);
    if (content)
      return { show: async () => ('movedTo' in content ? { movedTo: `/${content.movedTo}${rest}` } : content) };
  }
  return undefined;
}
