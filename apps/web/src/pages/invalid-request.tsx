import type { Content } from '../page/page';

/** The address exists, but not for this method or with these parameters. */
export const invalidRequest = (status: number): Content => ({
  title: 'Invalid request',
  status,
  body: (
    <>
      <p>This server cannot process the address: it may be incomplete or wrong, or only a form may use it.</p>
      <p>
        <a href="/">Start page</a>
      </p>
    </>
  ),
});
