import { withReturn } from '@moothall/pages';
import type { SentForm } from '../forms/sent-form';
import type { Content } from '../page/page';
import { Typed } from '../parts/typed';

type Reason = 'signed out' | 'out of date' | 'no such page' | 'failed';

/** The page that answers a form which its own page cannot show again: nothing that was typed is lost. */
export const formNotTaken = (path: string, sent: SentForm, reason: Reason): Content => ({
  title: 'The form was not taken',
  status: reason === 'failed' ? 503 : 422,
  body: (
    <>
      <Why path={path} reason={reason} />
      <Typed sent={sent} />
    </>
  ),
});

const Why = ({ path, reason }: { path: string; reason: Reason }) => {
  if (reason === 'no such page') return <p>The page of this form does not exist, or you may not see it.</p>;
  const back = <a href={path}>Open the page again</a>;
  if (reason === 'out of date') return <p>It was not sent by a page of this browser. {back}, and repeat it there.</p>;
  if (reason === 'failed')
    return <p>The server could not take it at the moment. {back}, look whether something changed, and repeat it.</p>;
  return (
    <p>
      You are not signed in. <a href={withReturn('/users/sign_in', path)}>Sign in</a>, and repeat it.
    </p>
  );
};
