import type { Visit } from '../session/browser';
import { type Html, html } from './html';
import { renderPage } from './layout';

/** The hidden field that binds a form to its browser. */
export const csrfField = ({ csrf }: Visit): Html => html`<input type="hidden" name="csrf" value="${csrf}">`;

/** Where a signed-in user finds everything: side by side, and behind one word where there is no room. */
export const navigationFor = (visit: Visit): Html | undefined =>
  visit.user
    ? html`<nav>${linksOf(visit, visit.user.username)}</nav>
<details><summary>Menu</summary><div>${linksOf(visit, visit.user.username)}</div></details>`
    : undefined;

const linksOf = (visit: Visit, username: string): Html => html`<a href="/-/profile/applications">Applications</a>
<a href="/-/profile/password">Password</a>
<a href="/-/profile/two_factor_auth">Two-factor</a>
<form method="post" action="/users/sign_out">${csrfField(visit)}<button class="quiet">Sign out ${username}</button></form>`;

/** What cannot be undone is asked for once more, without scripts: the button is behind a word that opens it. */
export const askedTwice = (word: string, consequence: string, button: Html): Html =>
  html`<details><summary class="quiet">${word}</summary><p>${consequence}</p>${button}</details>`;

/** Answer to a form that asked for the password once too often. */
export const tooManyAttempts = (visit: Visit) =>
  renderPage({
    title: 'Too many attempts',
    status: 429,
    headers: { ...visit.headers, 'retry-after': '600' },
    navigation: navigationFor(visit),
    body: html`<p>Wait ten minutes, go back, and try again.</p>`,
  });

/** Answer to a form that another site made, or that was open for too long. */
export const staleForm = (visit: Visit) =>
  renderPage({
    title: 'This form is out of date',
    status: 422,
    headers: visit.headers,
    body: html`<p>It was not sent from a page of this browser. Go back, load the page again, and try once more.</p>`,
  });
