import { Reply } from '@moothall/contracts';
import { renderPage } from './layout';

/** Redirects to another page, which is requested with GET. */
export const redirectTo = (location: string, headers: Record<string, string> = {}): Reply<string> =>
  new Reply('', { status: 303, headers: { location, 'cache-control': 'no-store', ...headers } });

/** The same to any URL: browsers would block a redirect after a form to a target outside of form-action. */
export function leadTo(target: string, headers: Record<string, string> = {}): Reply<string> {
  if (target.startsWith('/')) return redirectTo(target, headers);
  const body = (
    <p>
      <a href={target}>Continue</a>
    </p>
  );
  return renderPage({ title: 'You are signed out', body, headers: { ...headers, refresh: `0; url=${target}` } });
}
