import type { Reply } from '@moothall/contracts';
import { renderPage, type Viewer } from '@moothall/pages';
import type { Visit } from '../session/browser';

/** The signed-in user, for the head of a page. */
export const viewerOf = ({ user, csrf }: Visit): Viewer | undefined =>
  user ? { username: user.username, csrf } : undefined;

/** Answer to a form with too many wrong passwords. */
export const tooManyAttempts = (visit: Visit): Reply<string> =>
  renderPage({
    title: 'Too many attempts',
    status: 429,
    headers: { ...visit.headers, 'retry-after': '600' },
    viewer: viewerOf(visit),
    body: <p>Wait ten minutes, go back, and try again.</p>,
  });

/** Answer to a form from another site, or one that was open for too long. */
export const staleForm = (visit: Visit): Reply<string> =>
  renderPage({
    title: 'This form is out of date',
    status: 422,
    headers: visit.headers,
    viewer: viewerOf(visit),
    body: <p>It was not sent by a page of this browser. Go back, reload the page, and try again.</p>,
  });

/** One page for missing and for hidden addresses, so that nobody learns which one it is. */
export const nothingHere = (visit: Visit): Reply<string> =>
  renderPage({
    title: 'Page not found',
    status: 404,
    headers: visit.headers,
    viewer: viewerOf(visit),
    body: <p>This page does not exist, or you may not see it.</p>,
  });
