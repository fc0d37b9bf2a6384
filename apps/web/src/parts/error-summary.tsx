import { Notice } from '@moothall/pages';
import type { RefusedForm } from '../forms/refused-form';
import type { Content } from '../page/page';

/** A page with the problems of its form at the top: it may not show the form any more. */
export const withSummary = (content: Content, refused: RefusedForm): Content => ({
  ...content,
  title: `Error: ${content.title}`,
  heading: content.heading ?? content.title,
  status: refused.status,
  body: (
    <>
      <Notice>{refused.summary}</Notice>
      {content.body}
    </>
  ),
});
