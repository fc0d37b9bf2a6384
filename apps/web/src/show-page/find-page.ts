import { commonErrors, getGroup, getProject } from '@moothall/contracts';
import type { RefusedForm } from '../forms/refused-form';
import type { SentForm } from '../forms/sent-form';
import type { Content, Moved } from '../page/page';
import { groupPages, projectPages, sitePages } from '../pages';
import { userPage } from '../pages/user';
import type { Visit } from '../visit/visits';
import { type RequestAddress, type ResourceAddress, resourceAddressOf } from './resource-address';
import { Routes } from './routes';

const siteRoutes = new Routes(sitePages);
const projectRoutes = new Routes(projectPages);
const groupRoutes = new Routes(groupPages);

/** The page of an address. */
export interface FoundPage {
  /** @param refused its form that was refused */
  show(refused?: RefusedForm): Promise<Content | Moved | undefined>;
  /** How a form of the page is taken; undefined if the page has no such form. */
  takes?(sent: SentForm): (() => Promise<string>) | undefined;
}

/** @throws as the operations of the page */
export async function findPage(visit: Visit, address: RequestAddress): Promise<FoundPage | undefined> {
  const site = siteRoutes.find(address.pathname, address);
  if (site) return { show: () => site.entry.show(visit, site.address) };
  const resource = resourceAddressOf(address);
  if (!resource) return undefined;
  return (
    (await inProjectAt(visit, resource, address)) ??
    (await ofUserAt(visit, resource, address)) ??
    (await inGroupAt(visit, resource, address))
  );
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

async function ofUserAt(
  visit: Visit,
  { fullPath }: ResourceAddress,
  address: RequestAddress,
): Promise<FoundPage | undefined> {
  const content = await userPage(visit, fullPath, address);
  return content && { show: async () => content };
}

/** Groups are also at `/groups/<full path>`. */
async function inGroupAt(
  visit: Visit,
  { fullPath, below, rest }: ResourceAddress,
  address: RequestAddress,
): Promise<FoundPage | undefined> {
  const groupPath = fullPath.replace(/^groups\//, '');
  const group = await visit.askIfSeen(getGroup, { id: groupPath, with_projects: false });
  const route = group && groupRoutes.find(below, address);
  if (!route) return undefined;
  const now = fullPath.slice(0, -groupPath.length) + group.full_path;
  return {
    show: async () =>
      now === fullPath ? route.entry.show(visit, group, route.address) : { movedTo: `/${now}${rest}` },
  };
}
