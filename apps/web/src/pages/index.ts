import type { NamespacePage, SitePage } from '../page/page';
import { explorePage } from './explore';
import { groupPage } from './group';
import { projectPage } from './project';
import { startPage } from './start';
import { userPage } from './user';

/** The pages at fixed paths. */
export const sitePages: readonly SitePage[] = [startPage, explorePage];

/** The pages at full paths, in this order: a user and a group never have the same path. */
export const namespacePages: readonly NamespacePage[] = [userPage, projectPage, groupPage];
