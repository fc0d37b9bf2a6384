import {
  Access,
  identifyBrowser,
  listContributors,
  projectChanged,
  readAppearance,
  resolveProject,
  showPage,
  takeForm,
  updateProject,
} from '@moothall/contracts';
import { callerNamed, eventually, projectNamed, type ServiceUnderTest, startServiceUnderTest } from '@moothall/testing';
import { service } from '../src';

/* What web knows of a project, whose name changes in the projects service. */

let web: ServiceUnderTest;
const ada = callerNamed('ada', { credential: 'session' });
const project = projectNamed('tool', { accessLevel: Access.Maintainer });
const page = `/${project.fullPath}/-/graphs`;
const client = { ip: '192.0.2.1', userAgent: 'test', cookie: 'of-ada' };
const context = { requestId: 'test', client };

let name = '';
/** How often web asked projects. */
let reads = 0;

beforeAll(async () => {
  web = await startServiceUnderTest(service);
  web.respond(readAppearance, () => ({ header_message: '', footer_message: '' }) as never);
  web.respond(identifyBrowser, () => ({
    headers: {},
    csrf: 'csrf',
    is_own_form: true,
    caller: ada,
    is_password_due: false,
  }));
  web.respond(resolveProject, () => {
    reads++;
    return { project: { ...project, nameWithNamespace: name }, redirected: false };
  });
  web.respond(listContributors, () => ({ items: [], total: 0 }));
  web.respond(updateProject, () => {
    name = 'Renamed by a form';
    return { web_url: `http://moothall.test/${project.fullPath}` } as never;
  });
});
afterAll(() => web?.stop());

async function nameOnPage(): Promise<string | undefined> {
  const { body } = await web.client.send(showPage, { path: page }, context);
  return /<title>Contributors · (.*?) · /.exec(new TextDecoder().decode(body))?.[1];
}

it('is read once, until an event reports a change', async () => {
  name = 'First';
  await nameOnPage();
  const before = reads;
  for (let view = 0; view < 3; view++) expect(await nameOnPage()).toBe('First');
  expect(reads).toBe(before);
  name = 'Second';
  await web.emit(projectChanged, { project_id: project.id, full_path: project.fullPath, change: 'updated' });
  await eventually(async () => (await nameOnPage()) === 'Second');
});

it('is read again after a form, before an event arrives', async () => {
  const before = await nameOnPage();
  const fields = { csrf: 'csrf', token: '1', form: 'rename', path: 'new-path' };
  await web.client.send(takeForm, { path: `/${project.fullPath}/edit`, fields }, context);
  expect([before, await nameOnPage()]).toEqual(['Second', 'Renamed by a form']);
});
