import type { Reply } from '@moothall/contracts';
import { CsrfField, formTargetOf, Named, ScopeList } from '@moothall/pages';
import { renderFor } from '../../page/page-views';
import type { Visit } from '../../session/browser';
import type { User } from '../../user/user.schema';
import type { AuthorizationInput } from './authorization-input';
import type { AuthorizationRequest } from './authorization-request';
import { HiddenFields } from './hidden-fields';

/** Asks a user whether an application may act for them, and names the scopes. */
export function consentPage(
  visit: Visit,
  user: User,
  request: AuthorizationRequest,
  input: AuthorizationInput,
): Reply<string> {
  const { application, redirectUri } = request;
  const target = formTargetOf(redirectUri);
  return renderFor(visit, {
    title: `Authorize ${application.name}?`,
    heading: (
      <>
        Authorize <Named>{application.name}</Named>?
      </>
    ),
    formTarget: target,
    body: (
      <>
        <Question user={user} {...request} />
        {target && (
          <p>
            You will be redirected to <code>{target}</code>.
          </p>
        )}
        <DecisionForm csrf={visit.csrf} input={input} />
      </>
    ),
  });
}

const Question = ({ user, application, scopes }: { user: User } & AuthorizationRequest) => (
  <>
    <p>
      <strong>
        <Named>{application.name}</Named>
      </strong>{' '}
      asks to use your account <strong>{user.username}</strong>. It would be able to:
    </p>
    <ScopeList scopes={scopes} />
    {application.ownerId !== null && <p>It was registered by a user of this server, not by its administrators.</p>}
  </>
);

const DecisionForm = ({ csrf, input }: { csrf: string; input: AuthorizationInput }) => (
  <form method="post" action="/oauth/authorize">
    <CsrfField csrf={csrf} />
    <HiddenFields fields={input} />
    <button type="submit" name="decision" value="authorize">
      Authorize
    </button>{' '}
    <button type="submit" name="decision" value="deny" class="quiet">
      Deny
    </button>
  </form>
);
