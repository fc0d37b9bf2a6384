import type { Content } from '../page/page';
import { Bytes } from '../parts/bytes';

/** The server has not read the form, so that only the browser has what was typed. */
export const formTooLarge = (limitBytes: number): Content => ({
  title: 'The form is too large',
  status: 413,
  body: (
    <>
      <p>
        A form may have <Bytes count={limitBytes} />. Nothing was saved.
      </p>
      <p>
        Go back in your browser, which has what you typed. Make the text shorter, or choose a smaller file, and send the
        form again.
      </p>
    </>
  ),
});
