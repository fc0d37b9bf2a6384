import type { Reply } from '@moothall/contracts';
import { type Page, renderPage } from '@moothall/pages';
import type { Visit } from '../session/browser';

/** A page for a browser: its cookie is set if it had none, and the head shows the signed-in user. */
export const renderFor = ({ user, csrf, headers, appearance }: Visit, page: Page): Reply<string> =>
  renderPage({
    ...page,
    appearance,
    viewer: user ? { username: user.username, isAdmin: user.isAdmin, csrf } : undefined,
    headers: { ...headers, ...page.headers },
  });

/** Answer to a form with too many wrong passwords. */
export const tooManyAttempts = (visit: Visit): Reply<string> =>
  renderFor(visit, {
    title: 'Too many attempts',
    status: 429,
    headers: { 'retry-after': '600' },
    body: <p>Wait ten minutes, go back, and try again.</p>,
  });

/** Answer to a form from another site, or one that was open for too long. */
export const staleForm = (visit: Visit): Reply<string> =>
  renderFor(visit, {
    title: 'This form is out of date',
    status: 422,
    body: <p>It was not sent by a page of this browser. Go back, reload the page, and try again.</p>,
  });

/** One page for missing and for hidden addresses, so that nobody learns which one it is. */
export const nothingHere = (visit: Visit): Reply<string> =>
  renderFor(visit, {
    title: 'Page not found',
    status: 404,
    body: <p>This page does not exist, or you may not see it.</p>,
  });
