import {
  Access,
  commonErrors,
  contentErrors,
  findPath,
  getGroup,
  getLanguages,
  getProject,
  getUser,
  groupErrors,
  identifyBrowser,
  listGroupProjects,
  listIssues,
  listMergeRequests,
  listProjects,
  listSubgroups,
  listTodos,
  listUserProjects,
  listUsers,
  projectErrors,
  readAppearance,
  resolveGroup,
  resolveProject,
  showPage,
} from '@moothall/contracts';
import { callerNamed, groupNamed, projectNamed, type ServiceUnderTest, startServiceUnderTest } from '@moothall/testing';
import { service } from '../src';

/* The service as the gateway calls it, with the answers of the services that it calls. */

let web: ServiceUnderTest;
const ada = callerNamed('ada', { credential: 'session' });
const openProject = projectNamed('open-tool', { visibility: 'public', accessLevel: Access.None });
const hiddenProject = projectNamed('hidden-tool', { visibility: 'private' });
const openGroup = groupNamed('open-group', { visibility: 'public', accessLevel: Access.None });
const closedGroup = groupNamed('closed-group', { accessLevel: Access.None });
const evil = `"><script>alert(1)</script>\u202e`;
/** The members of which the instance has a session, by cookie. */
const sessions = new Map([['ada-cookie', ada]]);

const projectView = {
  id: openProject.id,
  name_with_namespace: `Group / ${evil}`,
  path_with_namespace: openProject.fullPath,
  description: `A ${evil}`,
  web_url: `http://moothall.test/${openProject.fullPath}`,
  http_url_to_repo: `http://moothall.test/${openProject.fullPath}.git`,
  ssh_url_to_repo: `ssh://git@moothall.test/${openProject.fullPath}.git`,
  avatar_url: 'https://elsewhere.example/tracker.png',
  visibility: 'public',
  topics: [evil],
  star_count: 1,
  forks_count: 2,
  last_activity_at: '2026-11-29T12:00:00.000Z',
  default_branch: null,
  readme_url: null,
};
const userView = {
  id: 5,
  name: `Ada ${evil}`,
  username: 'ada',
  web_url: 'http://moothall.test/ada',
  avatar_url: 'http://moothall.test/uploads/-/system/user/avatar/5/avatar.png',
  created_at: '2020-10-15T08:12:01.123Z',
  bio: evil,
};
const groupView = {
  id: openGroup.id,
  name: 'open-group',
  full_name: 'open-group',
  full_path: 'open-group',
  description: evil,
  visibility: 'public',
  web_url: 'http://moothall.test/groups/open-group',
  avatar_url: null,
};

beforeAll(async () => {
  web = await startServiceUnderTest(service);
  const none = () => ({ items: [], total: 0 });
  web.respond(readAppearance, () => ({ header_message: '', footer_message: '' }) as never);
  web.respond(identifyBrowser, ({ csrf }, { client }) => ({
    headers: client?.cookie === undefined ? { 'set-cookie': '_moothall_session=new' } : {},
    csrf: 'csrf-of-ada',
    caller: sessions.get(client?.cookie ?? '') ?? null,
    is_own_form: csrf === 'csrf-of-ada',
    is_password_due: client?.cookie === 'due-cookie',
  }));
  web.respond(resolveProject, ({ project, user_id }) => {
    if (project === 'earlier/tool') return { project: openProject, redirected: true };
    if (project === openProject.fullPath || project === String(openProject.id))
      return { project: openProject, redirected: false };
    if (project !== hiddenProject.fullPath && project !== String(hiddenProject.id)) return projectErrors.notFound();
    const accessLevel = user_id === ada.id ? Access.Developer : Access.None;
    return { project: { ...hiddenProject, accessLevel }, redirected: false };
  });
  web.respond(resolveGroup, ({ group }) => {
    if (group === 'earlier-group') return { group: openGroup, redirected: true };
    const found = [openGroup, closedGroup].find(({ fullPath, id }) => fullPath === group || String(id) === group);
    return found ? { group: found, redirected: false } : groupErrors.notFound();
  });
  web.respond(
    getProject,
    (_input, { project }) => ({ ...projectView, path_with_namespace: project!.fullPath }) as never,
  );
  web.respond(findPath, () => contentErrors.treeNotFound());
  web.respond(getLanguages, () => ({ TypeScript: 90.5, CSS: 9.5 }));
  web.respond(getGroup, () => groupView as never);
  web.respond(listUsers, ({ username }, { caller }) => {
    if (!caller && restricted) return commonErrors.forbidden();
    return { items: username === 'ada' ? [userView as never] : [], total: 1 };
  });
  web.respond(getUser, () => userView as never);
  web.respond(listProjects, () => ({ items: [projectView as never], total: 1 }));
  for (const list of [listUserProjects, listGroupProjects, listSubgroups, listIssues, listMergeRequests, listTodos])
    web.respond(list, none);
});
afterAll(() => web?.stop());

let restricted = false;

async function open(path: string, { cookie, refused }: { cookie?: string; refused?: number } = {}) {
  const client = { ip: '192.0.2.1', userAgent: 'test', cookie };
  const { meta, body } = await web.client.send(showPage, { path, refused }, { requestId: 'test', client });
  return { status: meta.status, headers: meta.headers ?? {}, body: new TextDecoder().decode(body) };
}

const signedIn = { cookie: 'ada-cookie' };

describe('a page', () => {
  it('loads nothing from elsewhere, and runs no script', async () => {
    const { headers, body } = await open('/');
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': expect.stringMatching(
        /^default-src 'none'; style-src 'sha256-[^']+'; img-src 'self';/,
      ),
      'cache-control': 'no-store',
      'set-cookie': '_moothall_session=new',
    });
    expect(body).not.toContain('elsewhere.example');
  });

  it.each(['/', '/explore', '/group/open-tool', '/ada', '/open-group'])('%s escapes what users wrote', async (path) => {
    for (const as of [{}, signedIn]) {
      const { status, body } = await open(path, as);
      expect(status).toBe(200);
      expect(body).toContain('&lt;script>');
      expect(body).not.toContain('<script');
      expect(body).not.toContain('\u202e');
    }
  });

  it('has a menu with the sign-out of the signed-in user, and a link to sign in for others', async () => {
    const [other, own] = [await open('/explore'), await open('/explore', signedIn)];
    expect(other.body).toContain('href="/users/sign_in"');
    expect(own.body).not.toContain('href="/users/sign_in"');
    expect(own.body).toContain('name="csrf" value="csrf-of-ada"');
  });

  it('reads its whole query', async () => {
    let search: unknown;
    web.respond(listProjects, (input) => {
      search = input.search;
      return { items: [projectView as never], total: 1 };
    });
    await open('/explore?search=what?%26+why');
    expect(search).toBe('what?& why');
  });

  it('is not shown before a due change of the password', async () => {
    sessions.set('due-cookie', ada);
    const { status, headers } = await open('/explore?page=2', { cookie: 'due-cookie' });
    expect([status, headers.location]).toEqual([303, '/-/profile/password?return_to=%2Fexplore%3Fpage%3D2']);
  });
});

describe('the page of a project', () => {
  it.each(['', '/'])('at its path%s has its addresses for git and its languages', async (below) => {
    const { status, body } = await open(`/${openProject.fullPath}${below}`);
    expect(status).toBe(200);
    expect(body).toContain(`git clone ${projectView.http_url_to_repo}`);
    expect(body).toContain(`git clone ${projectView.ssh_url_to_repo}`);
    expect(body).toMatch(/TypeScript.*90\.5 %.*CSS/s);
  });

  it.each([`/${openProject.fullPath}`, '/groups/open-group', '/open-group', '/ada'])(
    'is not at an unknown address below %s',
    async (path) => {
      expect((await open(path)).status).toBe(200);
      expect((await open(`${path}/-/unknown`)).status).toBe(404);
    },
  );

  it('that is hidden equals that of a missing one, until a member signs in', async () => {
    const [absent, hidden] = [await open('/no/such'), await open(`/${hiddenProject.fullPath}`)];
    expect([absent.status, hidden.status]).toEqual([404, 404]);
    const plain = (text: string) => text.replace(/return_to=[^"]*/, '');
    expect(plain(hidden.body)).toBe(plain(absent.body));
    expect(hidden.body).toContain(`/users/sign_in?return_to=${encodeURIComponent(`/${hiddenProject.fullPath}`)}`);
    expect((await open(`/${hiddenProject.fullPath}`, signedIn)).status).toBe(200);
  });
});

describe('an earlier path', () => {
  it.each(['/-/tree/main/a%20b?plain=1', '', '?page=2'])(
    'of a project redirects with the rest of the address: %s',
    async (rest) => {
      const { status, headers } = await open(`/earlier/tool${rest}`);
      expect([status, headers.location]).toEqual([303, `/${openProject.fullPath}${rest}`]);
    },
  );

  it.each(['', '/groups'])('of a group at %s redirects', async (prefix) => {
    const { status, headers } = await open(`${prefix}/earlier-group?page=2`);
    expect([status, headers.location]).toEqual([303, `${prefix}/open-group?page=2`]);
  });
});

describe('the page of a user', () => {
  it('names the user, and shows only images of this server', async () => {
    const { status, body } = await open('/ada');
    expect(status).toBe(200);
    expect(body).toContain('@ada');
    expect(body).toContain('src="/uploads/-/system/user/avatar/5/avatar.png"');
  });

  // The same rule as in the API.
  it('is hidden from visitors of an instance on which nothing is public', async () => {
    restricted = true;
    expect([(await open('/ada')).status, (await open('/ada', signedIn)).status]).toEqual([404, 200]);
    restricted = false;
  });
});

describe('the page of a group', () => {
  it.each(['/groups/open-group', '/open-group', '/groups/open-group/'])('is at %s', async (path) => {
    expect(await open(path)).toMatchObject({ status: 200, body: expect.stringContaining('open-group') });
  });

  it.each(['/groups/closed-group', '/closed-group', '/groups/absent', '/groups/'])(
    'is not at %s for others',
    async (path) => {
      expect((await open(path)).status).toBe(404);
    },
  );
});

describe('a refused request', () => {
  it.each([400, 405, 406])('with status %i has a page that says so', async (refused) => {
    const { status, body } = await open('/-/profile/applications/revoke', { refused });
    expect([status, body]).toEqual([refused, expect.stringMatching(/cannot process the address.*href="\/"/s)]);
  });

  it('with status 413 has a page that names the limit of forms', async () => {
    const context = { requestId: 'test', client: { ip: '192.0.2.1', userAgent: 'test' } };
    const asked = { path: '/group/open-tool/-/issues/new', refused: 413, limit_bytes: 7_000_000 };
    const { meta, body } = await web.client.send(showPage, asked, context);
    expect([meta.status, new TextDecoder().decode(body)]).toEqual([413, expect.stringContaining('7 MB')]);
  });

  it('with status 404 has the page of a missing address', async () => {
    const { status, body } = await open('/group/open-tool', { refused: 404 });
    expect([status, body]).toEqual([404, expect.stringContaining('This page does not exist')]);
  });
});

it.each([
  ['a wrong escape', '/%zz'],
  ['bytes that are not UTF-8', '/ada%ff'],
  ['NUL', '/a%00/b'],
  ['another host', '//evil.example/x'],
  ['an element', '/<script>'],
  ['an id of a project', '/123'],
  ['an id of a group', '/groups/123'],
  ['5,000 segments', `/${'a/'.repeat(5000)}`],
])('%s in an address leads to the page of a missing address', async (_, path) => {
  const { status, body } = await open(path);
  expect(status).toBe(404);
  expect(body).not.toContain('<script');
  expect(body).not.toMatch(/href="\/\/evil/);
});

it('the failure of a service is no missing page', async () => {
  web.respond(getProject, () => commonErrors.unavailable());
  await expect(open(`/${openProject.fullPath}`)).rejects.toMatchObject({ code: commonErrors.unavailable.code });
});
