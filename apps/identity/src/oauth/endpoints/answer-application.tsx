import type { Reply } from '@moothall/contracts';
import { formTargetOf, redirectTo, renderPage } from '@moothall/pages';
import { outOfBand } from '../../application/application-rules';
import type { AnswerAddress } from './authorization-request';
import { HiddenFields } from './hidden-fields';

/** Redirects the browser to an application with the answer, in the requested response mode. */
export function answerApplication(
  { redirectUri, responseMode, state }: AnswerAddress,
  answer: Record<string, string>,
): Reply<string> {
  const fields = { ...answer, ...(state !== undefined && { state }) };
  if (redirectUri === outOfBand) return shownToUser(answer);
  if (responseMode === 'form_post') return postedByUser(redirectUri, fields);
  const parameters = new URLSearchParams(fields).toString();
  if (responseMode === 'fragment') return redirectTo(`${redirectUri}#${parameters}`);
  return redirectTo(`${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${parameters}`);
}

/** For applications without a redirect URI. */
const shownToUser = ({ code, access_token, error_description }: Record<string, string>): Reply<string> =>
  renderPage({
    title: error_description ? 'Not authorized' : 'Authorization code',
    body: error_description ? <p>{error_description}</p> : <ShownCode code={code ?? access_token} />,
  });

const ShownCode = ({ code }: { code: string | undefined }) => (
  <>
    <p>Copy this into the application:</p>
    <p>
      <code id="authorization_code">{code}</code>
    </p>
  </>
);

/** Source: OAuth 2.0 Form Post Response Mode. Without scripts it takes one click. */
const postedByUser = (redirectUri: string, fields: Record<string, string>): Reply<string> =>
  renderPage({
    title: 'Back to the application',
    formTarget: formTargetOf(redirectUri),
    body: (
      <form method="post" action={redirectUri}>
        <HiddenFields fields={fields} />
        <button type="submit" autofocus>
          Continue
        </button>
      </form>
    ),
  });
