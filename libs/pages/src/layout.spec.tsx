import { createHash } from 'node:crypto';
import type { Appearance } from '@moothall/contracts';
import { renderToString } from 'preact-render-to-string';
import { Confirmation, Notice } from './form-parts';
import { type Page, renderPage } from './layout';
import { Named } from './named';

const appearance: Appearance = {
  title: 'Our <hall>',
  description: 'For all of us',
  logo: '/uploads/logo.png',
  header_logo: '/uploads/header.png',
  favicon: '/uploads/favicon.png',
  new_project_guidelines: '',
  profile_image_guidelines: '',
  header_message: 'Closed on <Sunday>',
  footer_message: 'Run by the council',
  message_background_color: '#112233',
  message_font_color: '#fefefe',
  email_header_and_footer_enabled: false,
};

const evil = `"><script>alert('&')</script>`;

function shown(page: Partial<Page> = {}) {
  const { body, options } = renderPage({ title: 'A page', body: <p>Text</p>, ...page });
  return { text: body, status: options.status, headers: options.headers ?? {}, policy: policyIn(options.headers) };
}

const policyIn = (headers: Record<string, string> | undefined): string[] =>
  (headers?.['content-security-policy'] ?? '').split('; ');

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
const styleIn = (text: string): string | undefined => /<style>(.*?)<\/style>/s.exec(text)?.[1];

describe('a page', () => {
  it('escapes values in text and in attributes', () => {
    const { text } = shown({ body: <p title={evil}>{evil}</p>, title: evil });
    expect(text).toContain(
      `<p title="&quot;>&lt;script>alert('&amp;')&lt;/script>">&quot;>&lt;script>alert('&amp;')&lt;/script></p>`,
    );
    expect(text).toContain(`<title>&quot;>&lt;script>alert('&amp;')&lt;/script> · Moothall</title>`);
    expect(text).toContain(`<h1>&quot;>&lt;script>alert('&amp;')&lt;/script></h1>`);
  });

  it('has no script, whatever it shows', () => {
    const viewer = { username: evil, isAdmin: true, csrf: evil };
    const everywhere = { ...appearance, title: evil, description: evil, header_message: evil, logo: evil };
    const { text, policy } = shown({ title: evil, viewer, appearance: everywhere, introducesInstance: true });
    expect(text).toContain('&lt;script>');
    expect(text).not.toMatch(/<script|\son\w+=/i);
    expect(policy).toContain("default-src 'none'");
    expect(policy.join()).not.toContain('script-src');
  });

  it('is a complete document in standards mode, in a language, for screens of every width', () => {
    const { text } = shown();
    expect(text).toMatch(/^<!doctype html>\n<html lang="en"><head><meta charset="utf-8"\/>.*<\/html>\n$/s);
    expect(text).toContain('<meta name="viewport" content="width=device-width, initial-scale=1"/>');
  });

  it('begins with a link to its content', () => {
    const { text } = shown();
    expect(text).toMatch(/<body><a class="skip" href="#main-content">[^<]+<\/a>/);
    expect(text).toContain('<main id="main-content"><h1>A page</h1><p>Text</p></main>');
  });

  it('is narrow, unless it asks for more', () =>
    expect(shown({ width: 'wide' }).text).toContain('<main id="main-content" class="wide">'));

  it('names a user in its heading in isolation, and in its title without turns', () => {
    const { text } = shown({
      title: 'Authorize \u202egnp?',
      heading: (
        <>
          Authorize <Named>{'\u202egnp'}</Named>?
        </>
      ),
    });
    expect(text).toContain('<title>Authorize gnp? · Moothall</title>');
    expect(text).toContain('<h1>Authorize <bdi>gnp</bdi>?</h1>');
  });

  it('answers with its status and headers, and is not stored', () => {
    expect(shown().status).toBe(200);
    const { status, headers } = shown({ status: 404, headers: { 'set-cookie': 'a=b' } });
    expect(status).toBe(404);
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'referrer-policy': 'same-origin',
      'x-frame-options': 'DENY',
      'set-cookie': 'a=b',
    });
  });
});

describe('the content security policy', () => {
  it.each([undefined, appearance])('allows only the style of the page, by its hash', (given) => {
    const { text, policy } = shown({ appearance: given });
    const style = styleIn(text) ?? '';
    expect(style).toContain(':root');
    expect(policy).toContain(`style-src ${hashOf(style)}`);
    expect(text.match(/<style|\sstyle=/g)).toHaveLength(1);
  });

  it('allows images and forms of this server only, and no frames', () =>
    expect(shown().policy).toEqual([
      "default-src 'none'",
      expect.stringMatching(/^style-src 'sha256-[^']+'$/),
      "img-src 'self'",
      "form-action 'self'",
      "frame-ancestors 'none'",
      "base-uri 'none'",
    ]));

  it('allows one more target of forms', () =>
    expect(shown({ formTarget: 'https://ci.example' }).policy).toContain("form-action 'self' https://ci.example"));
});

describe('the head of a page', () => {
  it('leads visitors to the sign-in', () => {
    const { text } = shown();
    expect(text).toContain('<a href="/users/sign_in">Sign in</a>');
    expect(text).not.toContain('Sign out');
  });

  it('has the menu of the signed-in user, with a form to sign out', () => {
    const { text } = shown({ viewer: { username: 'ada', isAdmin: false, csrf: 'token' } });
    expect(text).toContain(
      '<summary><bdi>ada</bdi></summary><nav aria-label="Account"><a href="/dashboard/todos">To do</a><a href="/ada">Profile</a>',
    );
    expect(text).toContain('<a href="/search">Search</a>');
    expect(text).toContain(
      '<form method="post" action="/users/sign_out"><input type="hidden" name="csrf" value="token"/>' +
        '<button type="submit" class="quiet">Sign out ada</button></form>',
    );
    expect(text).not.toContain('Sign in');
  });

  it.each([true, false])('leads to the pages for administrators: %j', (isAdmin) => {
    const { text } = shown({ viewer: { username: 'ada', isAdmin, csrf: 'token' } });
    expect(text.includes('<a href="/admin">Admin</a>')).toBe(isAdmin);
  });

  it('does not lead visitors to pages for administrators and for users', () => {
    for (const path of ['/admin', '/search', '/dashboard']) expect(shown().text).not.toContain(path);
  });
});

describe('the appearance of the instance', () => {
  it('is shown as text and images, with its colours', () => {
    const { text } = shown({ appearance });
    expect(text).toContain('<link rel="icon" href="/uploads/favicon.png"/>');
    expect(text).toContain(
      '<strong><a href="/"><img src="/uploads/header.png" alt="Moothall" height="28"/></a></strong>',
    );
    expect(text).toContain('<p class="message">Closed on &lt;Sunday></p><header>');
    expect(text).toContain('</footer><p class="message">Run by the council</p></body>');
    expect(styleIn(text)).toContain('background: #112233; color: #fefefe');
  });

  it('introduces the instance only where a page asks for it', () => {
    const introduction =
      '<p><img src="/uploads/logo.png" alt class="logo"/></p>' +
      '<p class="instance">Our &lt;hall></p><p>For all of us</p><h1>A page</h1>';
    expect(shown({ appearance, introducesInstance: true }).text).toContain(introduction);
    const { text } = shown({ appearance });
    expect(text).not.toContain('Our &lt;hall>');
    expect(text).not.toContain('/uploads/logo.png');
  });

  it('leaves nothing behind where it is not set', () => {
    const { text } = shown({ introducesInstance: true });
    expect(text).toContain('<strong><a href="/">Moothall</a></strong>');
    expect(text).not.toMatch(/<img|<link|class="(?:message|instance|logo)"/);
  });
});

describe('parts of forms', () => {
  it('announce a problem at once, and a success politely', () => {
    expect(renderToString(<Notice>Wrong</Notice>)).toBe('<p class="notice problem" role="alert">Wrong</p>');
    expect(renderToString(<Notice kind="success">Done</Notice>)).toBe(
      '<p class="notice success" role="status">Done</p>',
    );
  });

  it.each([undefined, '', false])('show no notice for %j', (nothing) =>
    expect(renderToString(<Notice>{nothing}</Notice>)).toBe(''),
  );

  it('ask for a confirmation without a script', () => {
    const shownPart = (
      <Confirmation word="Delete…" consequence="It is gone.">
        <button type="submit">Delete</button>
      </Confirmation>
    );
    expect(renderToString(shownPart)).toBe(
      '<details><summary class="quiet">Delete…</summary><p>It is gone.</p><button type="submit">Delete</button></details>',
    );
  });
});
