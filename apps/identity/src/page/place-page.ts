import {
  askedBy,
  type Caller,
  type ContextOf,
  commonErrors,
  groupErrors,
  isError,
  isReadable,
  type ParsedOf,
  type ProjectRef,
  projectErrors,
  type Reply,
  resolveProject,
  showPlace,
} from '@moothall/contracts';
import { Handles, OperationClient } from '@moothall/messaging';
import { settingsToken } from '@moothall/service';
import { Controller, Inject } from '@nestjs/common';
import { callerOf } from '../authentication/caller';
import { Browsers, type Visit } from '../session/browser';
import type { IdentitySettings } from '../settings';
import { type Html, html, named } from './html';
import { renderPage } from './layout';
import { navigationFor } from './page-views';
import { withReturn } from './return-path';

/** Answers browsers that follow a link to a server whose interface is for programs. */
@Controller()
export class PlacePage {
  constructor(
    private readonly browsers: Browsers,
    private readonly operations: OperationClient,
    @Inject(settingsToken) private readonly settings: IdentitySettings,
  ) {}

  @Handles(showPlace)
  async show(context: ContextOf<typeof showPlace>, { path }: ParsedOf<typeof showPlace>): Promise<Reply<string>> {
    const visit = await this.browsers.visit(context);
    if (/^\/(?:\?|$)/.test(path)) return startPage(visit);
    const project = await this.projectAt(path, visit);
    return project ? this.projectPage(visit, project) : nothingHere(visit, path);
  }

  /** The project that a path begins with, if the visitor may know of it. */
  private async projectAt(path: string, { user }: Visit): Promise<ProjectRef | undefined> {
    const fullPath = pathOfPlace(path);
    if (!fullPath) return undefined;
    const caller: Caller | undefined = user ? callerOf(user, { credential: 'session', scopes: [] }) : undefined;
    try {
      const { project } = await this.operations.call(resolveProject, { project: fullPath, ...askedBy(caller) });
      return isReadable(project, caller) ? project : undefined;
    } catch (error) {
      if (absences.some((absence) => isError(error, absence))) return undefined;
      throw error;
    }
  }

  private projectPage(visit: Visit, project: ProjectRef): Reply<string> {
    const address = `${this.settings.EXTERNAL_URL.replace(/\/$/, '')}/${project.fullPath}.git`;
    const record = `/api/v4/projects/${project.id}`;
    return renderPage({
      title: project.nameWithNamespace,
      heading: named(project.nameWithNamespace),
      headers: visit.headers,
      navigation: navigationFor(visit),
      body: html`${project.description && html`<p>${named(project.description)}</p>`}
<h2>Clone it</h2>
<p><code>git clone ${address}</code></p>
<h2>Look at it</h2>
<p>This server shows projects to programs: with a client of the v4 interface, or with git. This one is
<a href="${record}"><code>${record}</code></a>.</p>
${wayOn(visit)}`,
    });
  }
}

const absences = [commonErrors.notFound, groupErrors.notFound, projectErrors.notFound];

/** `/group/project/-/issues/1` is a place in `group/project`. */
function pathOfPlace(path: string): string | undefined {
  const [place = ''] = path.split(/[?#]/, 1);
  const [project = ''] = place.replace(/^\/+/, '').split('/-/', 1);
  try {
    const text = decodeURIComponent(project).replace(/(?<!\/)\/+$/, '');
    return text.includes('/') && !/^\d+$/.test(text) ? text : undefined;
  } catch {
    return undefined;
  }
}

const wayOn = ({ user }: Visit, isStart = false): Html => html`<h2>Go on</h2>
<ul>
<li><a href="/-/reference">API reference</a>: every operation, and a page to try them</li>
${user ? html`<li><a href="/-/profile/applications">Applications that use your account</a></li>` : html`<li><a href="/users/sign_in">Sign in</a></li>`}
${!isStart && html`<li><a href="/">Start page</a></li>`}
</ul>`;

const startPage = (visit: Visit): Reply<string> =>
  renderPage({
    title: 'A home for code',
    headers: visit.headers,
    navigation: navigationFor(visit),
    body: html`<p>This is a Moothall server: it keeps projects with their code, issues and merge requests. It talks to
programs: to clients of the v4 interface at <code>/api/v4</code>, and to git over HTTP and SSH.</p>
${wayOn(visit, true)}`,
  });

/** The same for what is not there and for what the visitor may not see: nobody learns which it is. */
const nothingHere = (visit: Visit, path: string): Reply<string> =>
  renderPage({
    title: 'Nothing to see here',
    status: 404,
    headers: visit.headers,
    navigation: navigationFor(visit),
    body: html`<p>There is nothing at this address, or nothing that you may see.</p>
${!visit.user && html`<p>If it is a private project, <a href="${withReturn('/users/sign_in', path)}">sign in</a> and come back.</p>`}
${wayOn(visit)}`,
  });
