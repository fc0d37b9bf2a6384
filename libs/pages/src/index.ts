export { Confirmation, CsrfField, Notice } from './form-parts';
export { type Page, renderPage, type Viewer } from './layout';
export { Named, withoutTurns } from './named';
export { leadTo, redirectTo } from './redirects';
export { finalTarget, fitsReturn, formTargetOf, returnPath, withReturn } from './return-path';
