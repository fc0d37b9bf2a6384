import {
  Access,
  commonErrors,
  identifyBrowser,
  OperationError,
  readAppearance,
  resolveProject,
  searchProjectBlobs,
  showPage,
} from '@moothall/contracts';
import { callerNamed, projectNamed, type ServiceUnderTest, startServiceUnderTest } from '@moothall/testing';
import { service } from '../src';

/* What the page of searches says about a search that fails. */

let web: ServiceUnderTest;
const ada = callerNamed('ada', { credential: 'session' });
const project = projectNamed('tool', { accessLevel: Access.Developer });

beforeAll(async () => {
  web = await startServiceUnderTest(service);
  web.respond(readAppearance, () => ({ header_message: '', footer_message: '' }) as never);
  web.respond(identifyBrowser, () => ({
    ...{ headers: {}, csrf: 'csrf', is_own_form: false, caller: ada, is_password_due: false },
  }));
  web.respond(resolveProject, () => ({ project, redirected: false }));
});
afterAll(() => web?.stop());

async function open() {
  const client = { ip: '192.0.2.1', userAgent: 'test', cookie: 'of-ada' };
  const path = `/search?project_id=${project.id}&scope=blobs&search=text`;
  const { meta, body } = await web.client.send(showPage, { path }, { requestId: 'test', client });
  return { status: meta.status, text: new TextDecoder().decode(body) };
}

it.each([
  ['git.timed_out', 504, 'Git took longer than allowed.'],
  ['common.unavailable', 503, 'No service is available to answer.'],
  ['common.too_many_requests', 429, 'A rate limit of this operation was reached.'],
])('%s is shown with its status, and the text can be sent again', async (code, status, words) => {
  web.respond(searchProjectBlobs, () => new OperationError({ code }));
  const shown = await open();
  expect([shown.status, shown.text]).toEqual([status, expect.stringContaining(words)]);
  expect(shown.text).toContain('value="text"');
});

it('an internal error is no refusal', async () => {
  web.respond(searchProjectBlobs, () => commonErrors.internal());
  await expect(open()).rejects.toMatchObject({ code: commonErrors.internal.code });
});
