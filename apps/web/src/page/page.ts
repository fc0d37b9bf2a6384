import type { GroupRef, PresignedUrl, ProjectRef } from '@moothall/contracts';
import type { Page } from '@moothall/pages';
import type { RefusedForm } from '../forms/refused-form';
import type { SentForm } from '../forms/sent-form';
import type { Visit } from '../visit/visits';

/** What a page shows; layout and headers are the same for all. */
export type Content = Pick<
  Page,
  'title' | 'heading' | 'navigation' | 'body' | 'width' | 'status' | 'headers' | 'introducesInstance'
> & {
  /** Of the visitor, on a page of a project or a group. */
  accessLevel?: number;
};

/** The address of a requested page. */
export interface Address {
  /** As requested, with the query: for a return after the sign-in. */
  path: string;
  query: URLSearchParams;
  /** The form of the page that was sent, and refused. */
  refused?: RefusedForm | undefined;
  /** What a form of the page has issued. */
  issued?: Issued | undefined;
}

/** An address that fits a pattern of path-to-regexp, and the parameters of its path. */
export interface RouteAddress extends Address {
  /** Of several segments, with slashes; empty if it was omitted. */
  params: Record<string, string>;
}

/** A page of the instance. */
export interface SitePage {
  /** A pattern of path-to-regexp: `/explore`, `/-/snippets/:id`. */
  at: string | string[];
  show(visit: Visit, address: RouteAddress): Promise<Content | Moved | undefined>;
  /** The forms of the page, by name. */
  forms?: Readonly<Record<string, TakeSiteForm>>;
}

/** A file of the instance, which is sent as it is. */
export interface SiteFile {
  at: string;
  /** @throws as the route of the operation */
  open(visit: Visit, address: RouteAddress): Promise<PresignedUrl>;
}

/** Leads to another page: a project has a new path, or a visitor has to sign in. */
export interface Moved {
  /** Its path. */
  movedTo: string;
}

/** A secret that the page of the form shows once, such as a new access token. */
export interface Issued {
  secret: string;
  /** The username that git and registries need with it. */
  username?: string;
}

/**
 * Takes a form of a page of the instance.
 * @returns the path of the next page
 * @throws OperationError: the page is shown again, with what was typed and what is wrong
 */
export type TakeSiteForm = (visit: Visit, address: RouteAddress, sent: SentForm) => Promise<string | Issued>;

/** The same of a page of a project or a group. */
export type TakeForm<T> = (visit: Visit, of: T, address: RouteAddress, sent: SentForm) => Promise<string | Issued>;

/** The page of a user. @returns undefined unless it is one that the visitor sees */
export type UserPage = (visit: Visit, username: string, address: Address) => Promise<Content | undefined>;

/** A page of a project or a group. */
export interface ParentPage<T> {
  /** Below `/-` of it, as a pattern of path-to-regexp: `/commit/:sha`, `/tree{/*rest}`; empty for its own page. */
  at: string | string[];
  /** @returns undefined unless it is there, and the visitor may see it */
  show(visit: Visit, of: T, address: RouteAddress): Promise<Content | undefined>;
  /** The forms of the page, by name. */
  forms?: Readonly<Record<string, TakeForm<T>>>;
}

export type GroupPage = ParentPage<GroupRef>;
export type ProjectPage = ParentPage<ProjectRef>;

/** A file of a project, which is sent as it is. */
export interface ProjectFile {
  /** As that of a page. */
  at: string | string[];
  /** @throws as the route of the operation */
  open(visit: Visit, fullPath: string, address: RouteAddress): Promise<PresignedUrl>;
}
