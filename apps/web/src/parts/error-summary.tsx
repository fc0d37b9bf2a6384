import { Notice } from '@moothall/pages';
import { renderToString } from 'preact-render-to-string';
import type { RefusedForm } from '../forms/refused-form';
import type { Content } from '../page/page';
import { Typed } from './typed';

/** A page with the problems of its form at the top, and what was typed at the end if it has no such form any more. */
export function withSummary(content: Content, refused: RefusedForm): Content {
  // The fields of the form set their labels, which the summary above them needs.
  renderToString(<main>{content.body}</main>);
  return {
    ...content,
    title: `Error: ${content.title}`,
    heading: content.heading ?? content.title,
    status: refused.status,
    body: (
      <>
        <Notice>{refused.summary}</Notice>
        {content.body}
        {!refused.isShown && <Typed sent={refused.sent} />}
      </>
    ),
  };
}
