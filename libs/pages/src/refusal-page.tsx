import type { Reply } from '@moothall/contracts';
import { renderPage } from './layout';
import { Named } from './named';

export interface Refusal {
  status: number;
  /** What is known besides the status. */
  reason?: string | undefined;
  /** When the request may be repeated. */
  waitSeconds?: number | undefined;
  /** Whether the browser sent a form. */
  isForm: boolean;
}

type Words = readonly [title: string, explanation: string];

const invalid: Words = ['Invalid request', 'This server cannot process the request: it is incomplete or wrong.'];
const failed: Words = ['Server error', 'This server made a mistake. Its log says which one.'];
const away: Words = ['Not available', 'A part of this server does not answer at the moment.'];

const wordsOf: Record<number, Words> = {
  401: ['Unknown token', 'The request contains a token or a password that is not valid.'],
  403: ['Not allowed', 'You may not do this.'],
  404: ['Page not found', 'This page does not exist, or you may not see it.'],
  408: ['The form came too slowly', 'The connection was too slow. Send the form again, or choose a smaller file.'],
  413: ['The form is too large', 'Make the text shorter, or choose a smaller file.'],
  429: ['Too many requests', 'You, or others in your network, sent more requests than this server accepts.'],
  502: away,
  503: away,
  504: ['No answer', 'A part of this server did not answer in time.'],
  507: ['The disk is full', 'An administrator of this server has to make room.'],
};

/** The answer to a refused request of a browser. It needs no service, because one may be down. */
export function refusalPage({ status, reason, waitSeconds, isForm }: Refusal): Reply<string> {
  const isFailure = status >= 500;
  const [title, explanation] = wordsOf[status] ?? (isFailure ? failed : invalid);
  const body = (
    <>
      <p>{explanation}</p>
      {reason && (
        <p>
          <Named>{reason}</Named>
        </p>
      )}
      {isForm && (
        <p>
          {isFailure ? 'It is not certain whether something was saved.' : 'Nothing was saved.'} Go back in your browser,
          which has what you typed{isFailure && ', and look whether something changed before you send the form again'}.
        </p>
      )}
      {waitSeconds !== undefined && (
        <p>
          Try again in {waitSeconds} {waitSeconds === 1 ? 'second' : 'seconds'}.
        </p>
      )}
      <p>
        <a href="/">Start page</a>
      </p>
    </>
  );
  return renderPage({ title, status, body, viewer: null });
}
