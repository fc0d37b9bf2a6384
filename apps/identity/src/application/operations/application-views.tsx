import { scopes as allScopes, type Scope } from '@moothall/contracts';
import { Confirmation, CsrfField, Named, Notice, ScopeChoice, ScopeList, withoutTurns } from '@moothall/pages';
import type { Application } from '../application.schema';

export const path = '/-/profile/applications';

/** An application that can use an account, with the scopes that it reaches. */
export interface AuthorizedApplication {
  application: Application;
  scopes: Scope[];
}

/** The result of a registration. */
export interface Outcome {
  problem?: string;
  made?: { application: Application; secret: string };
}

interface Shown {
  csrf: string;
  own: Application[];
  authorized: AuthorizedApplication[];
  outcome: Outcome;
}

/** The applications that use an account, and those that its user registered. */
export const ApplicationsView = ({ csrf, own, authorized, outcome: { problem, made } }: Shown) => (
  <>
    <Notice>{problem}</Notice>
    {made && <NewSecret {...made} />}
    <h2>Authorized applications</h2>
    {authorized.length === 0 && <p>No application can use your account.</p>}
    {authorized.map((one) => (
      <AuthorizedRecord csrf={csrf} {...one} />
    ))}
    <h2>Your applications</h2>
    {own.map((application) => (
      <OwnRecord csrf={csrf} application={application} />
    ))}
    <RegistrationForm csrf={csrf} />
  </>
);

const AuthorizedRecord = ({ csrf, application, scopes }: { csrf: string } & AuthorizedApplication) => (
  <section class="record">
    <h3>
      <Named>{application.name}</Named>
    </h3>
    <ScopeList scopes={scopes} />
    <form method="post" action={`${path}/revoke`}>
      <CsrfField csrf={csrf} />
      <input type="hidden" name="application" value={application._id} />
      <Confirmation word="Revoke…" consequence="Its tokens stop working at once, and it has to ask you again.">
        <GraveButton word="Revoke" application={application} />
      </Confirmation>
    </form>
  </section>
);

const OwnRecord = ({ csrf, application }: { csrf: string; application: Application }) => (
  <section class="record">
    <h3>
      <Named>{application.name}</Named>
    </h3>
    <Facts application={application} />
    <form method="post" action={`${path}/delete`}>
      <CsrfField csrf={csrf} />
      <input type="hidden" name="application" value={application._id} />
      <Confirmation
        word="Delete…"
        consequence="Everybody who uses it is signed out of it, and its ID and secret are good for nothing."
      >
        <GraveButton word="Delete" application={application} />
      </Confirmation>
    </form>
  </section>
);

const Facts = ({ application: { uid, redirectUris, scopes } }: { application: Application }) => (
  <>
    <p>
      Application ID: <code>{uid}</code>
    </p>
    <p>
      Redirect URIs: <RedirectUris uris={redirectUris} />
    </p>
    <p>
      Scopes: <code>{scopes.join(' ')}</code>
    </p>
  </>
);

const RedirectUris = ({ uris }: { uris: string[] }) =>
  uris.map((uri) => (
    <>
      <code>
        <Named>{uri}</Named>
      </code>{' '}
    </>
  ));

const GraveButton = ({ word, application }: { word: string; application: Application }) => (
  <button type="submit" class="grave" aria-label={`${word} ${withoutTurns(application.name)}`}>
    {word}
  </button>
);

const NewSecret = ({ application, secret }: { application: Application; secret: string }) => (
  <div class="notice" role="status">
    <p>
      <strong>
        <Named>{application.name}</Named>
      </strong>{' '}
      is registered. The secret is shown only now:
    </p>
    <p>
      Application ID: <code id="application_id">{application.uid}</code>
    </p>
    <p>
      Secret: <code id="application_secret">{secret}</code>
    </p>
  </div>
);

const RegistrationForm = ({ csrf }: { csrf: string }) => (
  <>
    <h3>Register an application</h3>
    <form method="post" action={path}>
      <CsrfField csrf={csrf} />
      <label for="name">Name</label>
      <input id="name" name="name" required />
      <label for="redirect_uri">Redirect URIs, one per line</label>
      <textarea id="redirect_uri" name="redirect_uri" rows={3} required />
      <fieldset>
        <legend>Scopes</legend>
        <ScopeChoice scopes={allScopes} />
      </fieldset>
      <label for="confidential">
        <input id="confidential" type="checkbox" name="confidential" value="1" checked />
        <span>Confidential: it runs on a server, not in a browser or on a phone</span>
      </label>
      <button type="submit">Register</button>
    </form>
  </>
);
