export { AccountNavigation } from './account-navigation';
export { AdminNavigation } from './admin-navigation';
export { Confirmation, CsrfField, Notice } from './form-parts';
export { type Page, renderPage, type Viewer } from './layout';
export { Named, withoutTurns } from './named';
export { leadTo, redirectTo } from './redirects';
export { finalTarget, fitsReturn, formTargetOf, returnPath, withReturn } from './return-path';
export { ScopeChoice, ScopeList, ScopeText, scopeMark, WordedScope } from './scope-list';
export { scopeWords } from './scope-words';
