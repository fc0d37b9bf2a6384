import { type ContextOf, type ParsedOf, type Reply, showResourcePage } from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { settingsToken } from '@moothall/service';
import { Controller, Inject } from '@nestjs/common';
import { Browsers, type Visit } from '../session/browser';
import type { IdentitySettings } from '../settings/settings';
import { html, named } from './html';
import { renderPage } from './layout';
import { navigationFor, nothingHere, wayOn } from './page-views';
import { type LinkedResource, ResourcesByPath } from './resources-by-path';

/** Pages for browsers that follow a link, until there are real pages. */
@Controller()
export class ResourcePage {
  constructor(
    private readonly browsers: Browsers,
    private readonly resources: ResourcesByPath,
    @Inject(settingsToken) private readonly settings: IdentitySettings,
  ) {}

  @Handles(showResourcePage)
  async show(
    context: ContextOf<typeof showResourcePage>,
    { path, refused }: ParsedOf<typeof showResourcePage>,
  ): Promise<Reply<string>> {
    const visit = await this.browsers.visit(context);
    if (refused) return refused === 404 ? nothingHere(visit, path) : notLikeThis(visit, refused);
    if (/^\/(?:\?|$)/.test(path)) return startPage(visit);
    const resource = await this.resources.find(path, visit.user);
    return resource ? this.resourcePage(visit, resource) : nothingHere(visit, path);
  }

  private resourcePage(visit: Visit, { kind, title, description, fullPath, record }: LinkedResource): Reply<string> {
    const address = `${this.settings.EXTERNAL_URL.replace(/\/$/, '')}/${fullPath}.git`;
    const clone = html`<h2>Clone</h2>
<p><code>git clone ${address}</code></p>`;
    const projects = html`<p>Projects of this ${kind}: <a href="${record}/projects"><code>${record}/projects</code></a>.</p>`;
    return renderPage({
      title,
      heading: named(title),
      headers: visit.headers,
      navigation: navigationFor(visit),
      body: html`${description && html`<p>${named(description)}</p>`}
${kind === 'project' && clone}
<h2>Open it in a client</h2>
<p>This server has no page for a ${kind}. Use a client of the v4 interface, or git. The ${kind} in the API is
<a href="${record}"><code>${record}</code></a>.</p>
${kind !== 'project' && projects}
${wayOn(visit)}`,
    });
  }
}

const startPage = (visit: Visit): Reply<string> =>
  renderPage({
    title: 'Moothall',
    headers: visit.headers,
    navigation: navigationFor(visit),
    body: html`<p>This Moothall server hosts projects with their code, issues and merge requests. Use it with a client of
the v4 interface at <code>/api/v4</code>, and with git over HTTP and SSH.</p>
${wayOn(visit, true)}`,
  });

/** The address exists, but not for this method or with these parameters. */
const notLikeThis = (visit: Visit, status: number): Reply<string> =>
  renderPage({
    title: 'Invalid request',
    status,
    headers: visit.headers,
    navigation: navigationFor(visit),
    body: html`<p>This server cannot process the address: it may be incomplete or wrong, or only a form may use it.</p>
${wayOn(visit)}`,
  });
