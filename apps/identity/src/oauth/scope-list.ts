import type { Scope } from '@moothall/contracts';
import { type Html, html } from '../page/html';
import { scopeWords } from './scope-words';

/** Scopes by which an application could do harm: they change what is there, or act for others. */
const grave = new Set<Scope>(['api', 'sudo', 'write_repository', 'write_registry']);

/** What an application may do, the dangerous first and marked by more than colour. */
export const scopeList = (scopes: Scope[]): Html =>
  html`<ul>${[...scopes]
    .sort((one, other) => Number(grave.has(other)) - Number(grave.has(one)))
    .map((scope) =>
      grave.has(scope)
        ? html`<li class="grave-scope"><strong>Far-reaching:</strong> ${scopeWords[scope]} <code>${scope}</code></li>`
        : html`<li>${scopeWords[scope]} <code>${scope}</code></li>`,
    )}</ul>`;
