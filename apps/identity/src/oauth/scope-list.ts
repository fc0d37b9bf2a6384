import type { Scope } from '@moothall/contracts';
import { type Html, html } from '../page/html';
import { scopeWords } from './scope-words';

/** Scopes by which an application could do harm: they change what is there, or act for others. */
const grave = new Set<Scope>(['api', 'sudo', 'write_repository', 'write_registry']);

/** What a scope is for, and its name; what is dangerous is marked by more than colour. */
export const scopeText = (scope: Scope): Html =>
  html`${grave.has(scope) && html`<strong>Far-reaching:</strong> `}${scopeWords[scope]} <code>${scope}</code>`;

const markOf = (scope: Scope) => (grave.has(scope) ? html` class="grave-scope"` : undefined);

/** What an application may do, the dangerous first. */
export const scopeList = (scopes: Scope[]): Html =>
  html`<ul>${[...scopes]
    .sort((one, other) => Number(grave.has(other)) - Number(grave.has(one)))
    .map((scope) => html`<li${markOf(scope)}>${scopeText(scope)}</li>`)}</ul>`;

/** The same to choose from. */
export const scopeChoice = (scopes: readonly Scope[]): Html =>
  html`${scopes.map(
    (scope) =>
      html`<label${markOf(scope)}><input type="checkbox" name="scopes[]" value="${scope}"><span>${scopeText(scope)}</span></label>`,
  )}`;
