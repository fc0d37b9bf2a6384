import type { Reply } from '@moothall/contracts';
import { outOfBand } from '../../application/application-rules';
import { html } from '../../page/html';
import { redirectTo, renderPage } from '../../page/layout';
import { formTargetOf } from '../../page/return-path';
import type { AnswerAddress } from './authorization-request';

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
function shownToUser({ code, access_token, error_description }: Record<string, string>): Reply<string> {
  return renderPage({
    title: error_description ? 'Not authorized' : 'Authorization code',
    body: error_description
      ? html`<p>${error_description}</p>`
      : html`<p>Copy this into the application:</p><p><code id="authorization_code">${code ?? access_token}</code></p>`,
  });
}

/** Source: OAuth 2.0 Form Post Response Mode. Without scripts it takes one click. */
function postedByUser(redirectUri: string, fields: Record<string, string>): Reply<string> {
  return renderPage({
    title: 'Back to the application',
    formTarget: formTargetOf(redirectUri),
    body: html`<form method="post" action="${redirectUri}">
${Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<button autofocus>Continue</button>
</form>`,
  });
}
