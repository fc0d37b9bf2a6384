import type { Reply } from '@moothall/contracts';
import type { Visit } from '../session/browser';
import { type Html, html } from './html';
import { renderPage } from './layout';
import { withReturn } from './return-path';

/** The hidden field that binds a form to its browser. */
export const csrfField = ({ csrf }: Visit): Html => html`<input type="hidden" name="csrf" value="${csrf}">`;

/** Navigation for signed-in users: side by side, or collapsed on narrow screens. */
export const navigationFor = (visit: Visit): Html | undefined =>
  visit.user
    ? html`<nav>${linksOf(visit, visit.user.username)}</nav>
<details><summary>Menu</summary><div>${linksOf(visit, visit.user.username)}</div></details>`
    : undefined;

const linksOf = (visit: Visit, username: string): Html => html`<a href="/-/profile/applications">Applications</a>
<a href="/-/profile/password">Password</a>
<a href="/-/profile/two_factor_auth">Two-factor</a>
<form method="post" action="/users/sign_out">${csrfField(visit)}<button class="quiet">Sign out ${username}</button></form>`;

/** Asks for a confirmation of a final action, without scripts: the button is in a collapsed section. */
export const withConfirmation = (word: string, consequence: string, button: Html): Html =>
  html`<details><summary class="quiet">${word}</summary><p>${consequence}</p>${button}</details>`;

/** Answer to a form with too many wrong passwords. */
export const tooManyAttempts = (visit: Visit) =>
  renderPage({
    title: 'Too many attempts',
    status: 429,
    headers: { ...visit.headers, 'retry-after': '600' },
    navigation: navigationFor(visit),
    body: html`<p>Wait ten minutes, go back, and try again.</p>`,
  });

/** Answer to a form from another site, or one that was open for too long. */
export const staleForm = (visit: Visit) =>
  renderPage({
    title: 'This form is out of date',
    status: 422,
    headers: visit.headers,
    body: html`<p>It was not sent by a page of this browser. Go back, reload the page, and try again.</p>`,
  });

/** Links at the end of a page without other links. */
export const wayOn = ({ user }: Visit, isStart = false): Html => html`<h2>Continue</h2>
<ul>
<li><a href="/-/reference">API reference</a>: every operation, with a form to try it</li>
${user ? html`<li><a href="/-/profile/applications">Applications that use your account</a></li>` : html`<li><a href="/users/sign_in">Sign in</a></li>`}
${!isStart && html`<li><a href="/">Start page</a></li>`}
</ul>`;

/** One page for missing and for hidden resources, so that nobody learns which one it is. */
export const nothingHere = (visit: Visit, path: string): Reply<string> =>
  renderPage({
    title: 'Page not found',
    status: 404,
    headers: visit.headers,
    navigation: navigationFor(visit),
    body: html`<p>This page does not exist, or you may not see it.</p>
${!visit.user && html`<p>If it is a private project, <a href="${withReturn('/users/sign_in', path)}">sign in</a>.</p>`}
${wayOn(visit)}`,
  });
