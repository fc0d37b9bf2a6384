import { Notice } from '@moothall/pages';
import type { RefusedForm } from '../forms/refused-form';
import type { Content } from '../page/page';
import { Typed } from './typed';

/** A page with the problems of its form at the top, and what was typed at the end if it has no such form any more. */
export const withSummary = (content: Content, refused: RefusedForm): Content => ({
  ...content,
  title: `Error: ${content.title}`,
  heading: content.heading ?? content.title,
  status: refused.status,
  body: (
    <>
      <Notice>{refused.summary}</Notice>
      {content.body}
      <TypedUnlessShown refused={refused} />
    </>
  ),
});

/** After the body, which has shown the form by then. */
const TypedUnlessShown = ({ refused }: { refused: RefusedForm }) =>
  refused.isShown ? null : <Typed sent={refused.sent} />;
