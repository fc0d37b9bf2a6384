import { commonErrors, type GroupRef, type ProjectRef } from '@moothall/contracts';
import type { SentForm } from '../forms/sent-form';
import type { Address, Content, Issued, Moved } from '../page/page';
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
  /** @param after the result of its form */
  show(after?: Pick<Address, 'refused' | 'issued'>): Promise<Content | Moved | undefined>;
  /** How a form of the page is taken; undefined if the page has no such form. */
  takes?(sent: SentForm): (() => Promise<string | Issued>) | undefined;
}

/** @throws as the operations of the page */
export async function findPage(visit: Visit, address: RequestAddress): Promise<FoundPage | undefined> {
  const site = siteRoutes.find(address.pathname, address);
  if (site) {
    const { entry, address: at } = site;
    return {
      show: (after) => entry.show(visit, { ...at, ...after }),
      takes: (sent) => formOf(entry, sent, (take) => take(visit, at, sent)),
    };
  }
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
  const project = fullPath.includes('/') ? await visit.findProject(fullPath) : undefined;
  if (!project) return undefined;
  const route = projectRoutes.find(below, address);
  if (!route) throw commonErrors.notFound();
  const { entry, address: at } = route;
  const now = project.fullPath;
  return {
    show: async (after) =>
      now === fullPath
        ? withLevel(await entry.show(visit, project, { ...at, ...after }), project)
        : { movedTo: `/${now}${rest}` },
    takes: (sent) =>
      formOf(entry, sent, (take) => take(visit, project, at, sent).finally(() => visit.forgetProject(project))),
  };
}

async function ofUserAt(
  visit: Visit,
  { fullPath, below }: ResourceAddress,
  address: RequestAddress,
): Promise<FoundPage | undefined> {
  if (below !== '') return undefined;
  const content = await userPage(visit, fullPath, address);
  return content && { show: async () => content };
}

const withLevel = (content: Content | undefined, { accessLevel }: ProjectRef | GroupRef) =>
  content && { ...content, accessLevel };

/** Groups are also at `/groups/<full path>`. */
async function inGroupAt(
  visit: Visit,
  { fullPath, below, rest }: ResourceAddress,
  address: RequestAddress,
): Promise<FoundPage | undefined> {
  const groupPath = fullPath.replace(/^groups\//, '');
  const group = await visit.findGroup(groupPath);
  const route = group && groupRoutes.find(below, address);
  if (!route) return undefined;
  const { entry, address: at } = route;
  const now = fullPath.slice(0, -groupPath.length) + group.fullPath;
  return {
    show: async (after) =>
      now === fullPath
        ? withLevel(await entry.show(visit, group, { ...at, ...after }), group)
        : { movedTo: `/${now}${rest}` },
    takes: (sent) =>
      formOf(entry, sent, (take) => take(visit, group, at, sent).finally(() => visit.forgetGroup(group))),
  };
}

/** @returns how the page takes the form; undefined if it has no form of that name */
function formOf<T>(
  page: { forms?: Readonly<Record<string, T>> },
  sent: SentForm,
  call: (take: T) => Promise<string | Issued>,
): (() => Promise<string | Issued>) | undefined {
  const take = new Map(Object.entries(page.forms ?? {})).get(sent.text('form'));
  return take && (() => call(take));
}
