import { withReturn } from '@moothall/pages';
import type { Content } from '../page/page';
import type { Visit } from '../visit/visits';

/** One page for missing and for hidden resources, so that nobody learns which one it is. */
export const notFound = ({ viewer }: Visit, path: string): Content => ({
  title: 'Page not found',
  status: 404,
  body: (
    <>
      <p>This page does not exist, or you may not see it.</p>
      {!viewer && (
        <p>
          If it is a private project, <a href={withReturn('/users/sign_in', path)}>sign in</a>.
        </p>
      )}
      <p>
        <a href="/">Start page</a>
      </p>
    </>
  ),
});
