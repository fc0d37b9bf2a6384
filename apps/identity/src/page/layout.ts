import { createHash } from 'node:crypto';
import { type Appearance, Reply } from '@moothall/contracts';
import { Html, html, withoutTurns } from './html';

const style = `
:root { color-scheme: light dark; --accent: light-dark(#2f5d50, #8fc7b5); --line: light-dark(#c9cfcc, #3d4743); }
* { box-sizing: border-box; }
body { margin: 0; overflow-wrap: anywhere; font: 1rem/1.5 system-ui, sans-serif; background: light-dark(#f6f7f6, #141816); color: light-dark(#1d2422, #e6ebe9); }
header { padding: .75rem 1rem; border-bottom: 1px solid var(--line); display: flex; gap: .5rem 1.25rem; align-items: center; }
header > strong { font-size: 1.1rem; color: var(--accent); margin-right: auto; overflow-wrap: normal; } header a { color: inherit; text-decoration: none; }
header > strong a { color: var(--accent); } nav { display: flex; gap: 1.25rem; align-items: center; } nav a { white-space: nowrap; }
header details { display: none; } summary { cursor: pointer; }
@media (max-width: 44rem) {
  header nav { display: none; } header details { display: block; } header details[open] { position: relative; }
  header details > div { position: absolute; right: 0; top: 2rem; width: min(18rem, 85vw); padding: .75rem 1rem; display: grid; gap: .75rem; z-index: 1;
    background: light-dark(#fff, #0d100f); border: 1px solid var(--line); border-radius: .3rem; }
}
main { max-width: 34rem; margin: 1.5rem auto; padding: 0 1rem 3rem; }
h1 { font-size: 1.5rem; line-height: 1.2; } h2 { font-size: 1.15rem; margin-top: 2rem; }
a { color: var(--accent); }
label { display: block; margin-top: 1rem; font-weight: 600; }
input, textarea { width: 100%; padding: .6rem; font: inherit; border: 1px solid #7d8883; border-radius: .3rem; background: light-dark(#fff, #0d100f); color: inherit; }
input[type=checkbox] { width: auto; flex: none; margin: 0 .6rem 0 0; }
label:has(input[type=checkbox]) { display: flex; align-items: baseline; font-weight: 400; }
fieldset { border: 1px solid var(--line); border-radius: .3rem; margin: 1rem 0 0; }
fieldset label { margin-top: .25rem; }
button { margin: 1.25rem .5rem 0 0; padding: .6rem 1.1rem; font: inherit; font-weight: 600; border: 1px solid var(--accent); border-radius: .3rem; background: var(--accent); color: light-dark(#fff, #0d100f); cursor: pointer; }
button.quiet { background: none; color: var(--accent); }
button.grave { background: light-dark(#a3241c, #ff9087); border-color: light-dark(#a3241c, #ff9087); }
.grave-scope { padding: .25rem .75rem; margin: .25rem 0; border-left: .3rem solid light-dark(#a3241c, #ff9087); background: light-dark(#fbeae8, #2b1715); }
.grave-scope strong { color: light-dark(#a3241c, #ff9087); }
fieldset, pre { min-width: 0; } img { max-width: 100%; }
summary.quiet { display: inline-block; margin-top: .75rem; padding: .35rem .9rem; font-weight: 600; border: 1px solid var(--line); border-radius: .3rem; }
header form { margin: 0; } header button { margin: 0; padding: .25rem .75rem; }
:focus-visible { outline: 3px solid light-dark(#d98e04, #ffc457); outline-offset: 2px; }
.notice { padding: .75rem 1rem; border: 1px solid var(--accent); border-left-width: .4rem; border-radius: .3rem; }
.problem { border-color: light-dark(#a3241c, #ff9087); }
.record { border: 1px solid var(--line); border-radius: .3rem; padding: .75rem 1rem; margin-top: 1rem; }
.record h3 { margin: 0; font-size: 1rem; } .record p, .record ul { margin: .25rem 0; }
code { overflow-wrap: anywhere; }
svg { width: 12rem; height: 12rem; background: #fff; }
`;

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

export interface Page {
  title: string;
  /** The same with names of users in it. */
  heading?: Html | undefined;
  body: Html;
  status?: number | undefined;
  headers?: Record<string, string> | undefined;
  /** Additional target of the page's forms after redirects: browsers apply form-action to redirects. */
  formTarget?: string | undefined;
  /** Links and sign-out for signed-in users. */
  navigation?: Html | undefined;
  /** Appearance by administrators: images, texts, and messages to all users. */
  appearance?: Appearance | undefined;
}

/**
 * The page loads nothing but the instance's own images, and runs no scripts; forms go to this server, and to one
 * further target.
 */
const policyOf = ({ formTarget, appearance }: Page, shownStyle: string): string =>
  [
    "default-src 'none'",
    `style-src ${hashOf(shownStyle)}`,
    ...(hasImages(appearance) ? ["img-src 'self'"] : []),
    `form-action 'self'${formTarget ? ` ${formTarget}` : ''}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ');

const hasImages = (appearance: Appearance | undefined): boolean =>
  Boolean(appearance?.logo || appearance?.header_logo || appearance?.favicon);

/** A complete page that works without scripts and on a phone. */
export function renderPage(page: Page): Reply<string> {
  const { title, heading, body, status = 200, headers, navigation, appearance } = page;
  const shownStyle = style + messageStyle(appearance);
  const document = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${withoutTurns(title)} · Moothall</title>
<style>${new Html(shownStyle)}</style>${favicon(appearance)}
</head>
<body>
${message(appearance?.header_message)}<header>${brand(appearance)}${navigation}</header>
<main>
${introduction(appearance)}<h1>${heading ?? title}</h1>
${body}
</main>
${message(appearance?.footer_message)}</body>
</html>
`;
  return new Reply(document.text, {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policyOf(page, shownStyle),
      'cache-control': 'no-store',
      'referrer-policy': 'same-origin',
      'x-frame-options': 'DENY',
      ...headers,
    },
  });
}

const message = (text: string | undefined) => (text ? html`<p class="message">${text}</p>` : undefined);

const brand = (appearance: Appearance | undefined): Html =>
  appearance?.header_logo
    ? html`<strong><a href="/"><img src="${appearance.header_logo}" alt="Moothall" height="28"></a></strong>`
    : html`<strong><a href="/">Moothall</a></strong>`;

const favicon = (appearance: Appearance | undefined) =>
  appearance?.favicon ? html`<link rel="icon" href="${appearance.favicon}">` : undefined;

function introduction(appearance: Appearance | undefined): Html | undefined {
  if (!appearance) return undefined;
  const { logo, title, description } = appearance;
  const image = logo && html`<p><img src="${logo}" alt="" class="logo"></p>`;
  const name = title && html`<p class="instance">${title}</p>`;
  return html`${image}${name}${description && html`<p>${description}</p>`}`;
}

/** Colours were validated when they were set; the style is allowed by its hash, so nothing else is. */
function messageStyle(appearance: Appearance | undefined): string {
  if (!appearance) return '';
  const { message_background_color: background, message_font_color: font } = appearance;
  return `.message { margin: 0; padding: .5rem 1rem; text-align: center; background: ${background}; color: ${font}; }
.instance { font-size: 1.5rem; font-weight: 600; } .logo { max-width: 100%; max-height: 8rem; }
`;
}

/** Redirects to another page, which is requested with GET. */
export const redirectTo = (location: string, headers: Record<string, string> = {}): Reply<string> =>
  new Reply('', { status: 303, headers: { location, 'cache-control': 'no-store', ...headers } });

/** The same to any URL: browsers would block a redirect after a form to a target outside of form-action. */
export function leadTo(target: string, headers: Record<string, string> = {}): Reply<string> {
  if (target.startsWith('/')) return redirectTo(target, headers);
  const body = html`<p><a href="${target}">Continue</a></p>`;
  return renderPage({ title: 'You are signed out', body, headers: { ...headers, refresh: `0; url=${target}` } });
}

/** The result of a form; screen readers announce it when it appears. */
export const notice = (text: string | undefined, kind: 'problem' | 'success' = 'problem'): Html =>
  text ? html`<p class="notice ${kind}" role="${kind === 'problem' ? 'alert' : 'status'}">${text}</p>` : html``;
