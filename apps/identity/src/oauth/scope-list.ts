import type { Scope } from '@moothall/contracts';
import { type Html, html } from '../page/html';
import { scopeWords } from './scope-words';

/** Dangerous scopes: they change data, or act for others. */
const grave = new Set<Scope>(['api', 'sudo', 'write_repository', 'write_registry']);

/** Description and name of a scope; dangerous ones are marked by more than a colour. */
export const scopeText = (scope: Scope): Html =>
  html`${grave.has(scope) && html`<strong>Far-reaching:</strong> `}${scopeWords[scope]} <code>${scope}</code>`;

const markOf = (scope: Scope) => (grave.has(scope) ? html` class="grave-scope"` : undefined);

/** The scopes of an application, dangerous ones first. */
export const scopeList = (scopes: Scope[]): Html =>
  html`<ul>${[...scopes]
    .sort((one, other) => Number(grave.has(other)) - Number(grave.has(one)))
    .map((scope) => html`<li${markOf(scope)}>${scopeText(scope)}</li>`)}</ul>`;

/** The same as check boxes. */
export const scopeChoice = (scopes: readonly Scope[]): Html =>
  html`${scopes.map(
    (scope) =>
      html`<label${markOf(scope)}><input type="checkbox" name="scopes[]" value="${scope}"><span>${scopeText(scope)}</span></label>`,
  )}`;
