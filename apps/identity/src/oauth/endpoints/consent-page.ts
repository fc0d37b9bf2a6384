import type { Reply } from '@moothall/contracts';
import { html, named } from '../../page/html';
import { renderPage } from '../../page/layout';
import { csrfField, navigationFor } from '../../page/page-views';
import { formTargetOf } from '../../page/return-path';
import type { Visit } from '../../session/browser';
import type { User } from '../../user/user.schema';
import { scopeList } from '../scope-list';
import type { AuthorizationInput } from './authorization-input';
import type { AuthorizationRequest } from './authorization-request';

/** Asks a user whether an application may act for them, and names the scopes. */
export function consentPage(
  visit: Visit,
  user: User,
  { application, scopes, redirectUri }: AuthorizationRequest,
  input: AuthorizationInput,
): Reply<string> {
  const target = formTargetOf(redirectUri);
  const fields = Object.entries(input).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  );
  return renderPage({
    title: `Authorize ${application.name}?`,
    heading: html`Authorize ${named(application.name)}?`,
    headers: visit.headers,
    formTarget: target,
    navigation: navigationFor(visit),
    body: html`<p><strong>${named(application.name)}</strong> asks to use your account <strong>${user.username}</strong>.
It would be able to:</p>
${scopeList(scopes)}
${application.ownerId !== null && html`<p>It was registered by a user of this server, not by its administrators.</p>`}
${target && html`<p>You will be redirected to <code>${target}</code>.</p>`}
<form method="post" action="/oauth/authorize">
${csrfField(visit)}${fields}
<button name="decision" value="authorize">Authorize</button>
<button name="decision" value="deny" class="quiet">Deny</button>
</form>`,
  });
}
