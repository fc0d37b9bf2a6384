import type { Page } from '@moothall/pages';
import type { Visit } from '../visit/visits';

/** What a page shows; layout, headers and navigation are the same for all. */
export type Content = Pick<Page, 'title' | 'heading' | 'body' | 'width' | 'status' | 'introducesInstance'>;

/** The address of a requested page. */
export interface Address {
  /** As requested, with the query: for a return after the sign-in. */
  path: string;
  query: URLSearchParams;
}

/** A page of the instance, at one path. */
export interface SitePage {
  at: string;
  show(visit: Visit, address: Address): Promise<Content | undefined>;
}

/** A page of a project, a group or a user, at its full path. @returns undefined unless it is one that the visitor sees */
export type NamespacePage = (visit: Visit, fullPath: string, address: Address) => Promise<Content | undefined>;
