import { createHash } from 'node:crypto';
import { type Appearance, Reply, type ShownAppearance } from '@moothall/contracts';
import type { ComponentChildren } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { Banners, type BannerTarget } from './banners';
import { CsrfField } from './form-parts';
import { Named, withoutTurns } from './named';
import { messageStyle, style } from './style';

/** The signed-in user who sees a page. */
export interface Viewer {
  username: string;
  /** Administrators see a link to their pages. */
  isAdmin: boolean;
  /** For the forms of the page. */
  csrf: string;
}

export interface Page {
  title: string;
  /** The same with names of users in it. */
  heading?: ComponentChildren;
  /** Where the page is, before its heading. */
  navigation?: ComponentChildren;
  body: ComponentChildren;
  /** `wide` for pages with more than text and a form. */
  width?: 'narrow' | 'wide' | undefined;
  status?: number | undefined;
  headers?: Record<string, string> | undefined;
  /** Additional target of the page's forms after redirects: browsers apply form-action to redirects. */
  formTarget?: string | undefined;
  /** Links and sign-out for signed-in users. Null if it is unknown whether somebody is signed in. */
  viewer?: Viewer | null | undefined;
  /** Appearance by administrators: images, texts, and messages to all users. */
  appearance?: ShownAppearance | undefined;
  /** For messages that are not for all pages. */
  target?: BannerTarget | undefined;
  /** Whether the page shows logo, name and description of the instance. */
  introducesInstance?: boolean | undefined;
}

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/**
 * The page loads nothing but images of this server, and runs no scripts; forms go to this server, and to one further
 * target. The style is allowed by its hash, so nothing else is.
 */
const policyOf = ({ formTarget }: Page, shownStyle: string): string =>
  [
    "default-src 'none'",
    `style-src ${hashOf(shownStyle)}`,
    "img-src 'self'",
    `form-action 'self'${formTarget ? ` ${formTarget}` : ''}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ');

/** An HTML page as the answer of an operation. */
export function renderPage(page: Page): Reply<string> {
  const shownStyle = style + messageStyle(page.appearance);
  return new Reply(`<!doctype html>\n${renderToString(<Document page={page} shownStyle={shownStyle} />)}\n`, {
    status: page.status ?? 200,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policyOf(page, shownStyle),
      'cache-control': 'no-store',
      'referrer-policy': 'same-origin',
      'x-frame-options': 'DENY',
      ...page.headers,
    },
  });
}

const Document = ({ page, shownStyle }: { page: Page; shownStyle: string }) => {
  const { title, heading, body, width, viewer, appearance } = page;
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{`${withoutTurns(title)} · Moothall`}</title>
        {/* Our own style sheet; its colours were validated. */}
        <style dangerouslySetInnerHTML={{ __html: shownStyle }} />
        {appearance?.favicon && <link rel="icon" href={appearance.favicon} />}
      </head>
      <body>
        <a class="skip" href="#main-content">
          Skip to the content
        </a>
        <Message text={appearance?.header_message} />
        <Banners banners={appearance?.banners} target={page.target ?? {}} />
        <header>
          <Brand logo={appearance?.header_logo} />
          <a href="/explore">Explore</a>
          {viewer && <a href="/search">Search</a>}
          {viewer?.isAdmin && <a href="/admin">Admin</a>}
          {viewer && <AccountMenu {...viewer} />}
          {viewer === undefined && <a href="/users/sign_in">Sign in</a>}
        </header>
        <main id="main-content" class={width}>
          {page.introducesInstance && appearance && <Introduction {...appearance} />}
          {page.navigation}
          <h1>{heading ?? title}</h1>
          {body}
        </main>
        <footer>
          <a href="/-/reference">API reference</a>
        </footer>
        <Message text={appearance?.footer_message} />
      </body>
    </html>
  );
};

const Message = ({ text }: { text: string | undefined }) => (text ? <p class="message">{text}</p> : null);

const Brand = ({ logo }: { logo: string | null | undefined }) => (
  <strong>
    <a href="/">{logo ? <img src={logo} alt="Moothall" height="28" /> : 'Moothall'}</a>
  </strong>
);

/** Works without scripts: a collapsed section. */
const AccountMenu = ({ username, csrf }: Viewer) => (
  <details>
    <summary>
      <Named>{username}</Named>
    </summary>
    <nav aria-label="Account">
      <a href="/dashboard/todos">To do</a>
      <a href={`/${username}`}>Profile</a>
      <a href="/-/user_settings/profile">Settings</a>
      <a href="/-/profile/applications">Applications</a>
      <a href="/-/profile/password">Password</a>
      <a href="/-/profile/two_factor_auth">Two-factor</a>
      <form method="post" action="/users/sign_out">
        <CsrfField csrf={csrf} />
        <button type="submit" class="quiet">
          Sign out {username}
        </button>
      </form>
    </nav>
  </details>
);

const Introduction = ({ logo, title, description }: Appearance) => (
  <>
    {logo && (
      <p>
        <img src={logo} alt="" class="logo" />
      </p>
    )}
    {title && <p class="instance">{title}</p>}
    {description && <p>{description}</p>}
  </>
);
