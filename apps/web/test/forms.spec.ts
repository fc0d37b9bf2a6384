import {
  Access,
  applicationSettingsChanged,
  commonErrors,
  createIssue,
  createIssueNote,
  defaultApplicationSettings,
  discussionErrors,
  getIssue,
  getProject,
  groupErrors,
  identifyBrowser,
  listAllProjectMembers,
  listIssueDiscussionBeginnings,
  listProjectLabels,
  listProjectMilestones,
  type OperationError,
  projectErrors,
  readAppearance,
  readApplicationSettings,
  renderMarkdownTexts,
  replyToIssueDiscussion,
  resolveGroup,
  resolveProject,
  takeForm,
  updateIssue,
} from '@moothall/contracts';
import { callerNamed, eventually, projectNamed, type ServiceUnderTest, startServiceUnderTest } from '@moothall/testing';
import { service } from '../src';

/* Forms as the gateway passes them on, with the answers of the services that they call. */

let web: ServiceUnderTest;
const ada = callerNamed('ada', { credential: 'session' });
const project = projectNamed('tool', { visibility: 'public', accessLevel: Access.Developer });
const base = `/${project.fullPath}`;
const at = `${base}/-/issues/1`;
const webUrl = `http://moothall.test${at}`;
const evil = `"><script>alert(1)</script>`;
const issue = {
  ...{ id: 1, iid: 1, title: 'First', description: 'Text', state: 'opened', labels: ['bug'], assignees: [] },
  ...{ author: { id: 1, name: 'Root', web_url: 'http://moothall.test/root' }, created_at: '2026-11-29T12:00:00.000Z' },
  ...{
    user_notes_count: 0,
    references: { short: '#1' },
    web_url: webUrl,
    milestone: null,
    due_date: null,
    confidential: false,
  },
};

let notes: string[] = [];
let limit = 0;
let refusal: OperationError | undefined;

beforeAll(async () => {
  web = await startServiceUnderTest(service);
  web.respond(readAppearance, () => ({ header_message: '', footer_message: '' }) as never);
  web.respond(readApplicationSettings, () => ({ ...defaultApplicationSettings, notes_create_limit: limit }));
  web.respond(identifyBrowser, ({ csrf }, { client }) => ({
    headers: {},
    csrf: 'csrf-of-ada',
    is_own_form: csrf === 'csrf-of-ada',
    caller: client?.cookie === 'ada-cookie' ? ada : null,
    is_password_due: false,
  }));
  web.respond(resolveProject, ({ project: asked }) =>
    asked === project.fullPath || asked === String(project.id)
      ? { project, redirected: false }
      : projectErrors.notFound(),
  );
  web.respond(
    getProject,
    () =>
      ({ id: project.id, name: 'Tool', name_with_namespace: 'Tool', path_with_namespace: project.fullPath }) as never,
  );
  web.respond(resolveGroup, () => groupErrors.notFound());
  web.respond(getIssue, () => issue as never);
  for (const list of [listAllProjectMembers, listProjectLabels, listProjectMilestones])
    web.respond(list, () => ({ items: [], total: 0 }));
  web.respond(listIssueDiscussionBeginnings, () => ({ items: [], total: 41 }));
  web.respond(renderMarkdownTexts, ({ texts }) => texts.map((text) => `<p>${text}</p>`));
});
beforeEach(() => {
  notes = [];
  refusal = undefined;
  web.respond(createIssueNote, ({ body }) => {
    if (refusal) return refusal;
    notes.push(body);
    return { id: notes.length } as never;
  });
});
afterAll(() => web?.stop());

let tokens = 0;
const comment = (over: Record<string, unknown> = {}) => ({
  ...{ csrf: 'csrf-of-ada', token: String(tokens++), form: 'comment', body: 'Hello' },
  ...over,
});

async function send(fields: Record<string, unknown>, { path = at, cookie = 'ada-cookie' } = {}) {
  const client = { ip: '192.0.2.1', userAgent: 'test', cookie };
  const { meta, body } = await web.client.send(takeForm, { path, fields }, { requestId: 'test', client });
  const text = new TextDecoder().decode(body).replace(/<style>.*?<\/style>/s, '');
  return { status: meta.status, to: meta.headers?.location, body: text };
}

describe('a form', () => {
  it('leads to its result, on the last page of the discussion', async () => {
    expect(await send(comment({ body: 'Two\r\nlines' }))).toMatchObject({ status: 303, to: `${at}?page=3#note_1` });
    expect(notes).toEqual(['Two\nlines']);
  });

  it('sent twice is taken once', async () => {
    const twice = comment();
    const answers = await Promise.all([send(twice), send(twice)]);
    for (const answer of answers) expect(answer).toMatchObject({ status: 303, to: `${at}?page=3#note_1` });
    expect(notes).toHaveLength(1);
    await send(comment());
    expect(notes).toHaveLength(2);
  });

  it('that is refused is shown again, with what was typed and what is wrong', async () => {
    refusal = commonErrors.forbidden('403 Forbidden - The discussion is locked');
    const { status, body } = await send(comment({ body: `\n${evil}` }));
    expect(status).toBe(422);
    expect(body).toContain('<title>Error: ');
    expect(body).toMatch(/role="alert">The discussion is locked\./);
    // HTML drops the first line end of a text area.
    expect(body).toContain(`>\n\n&quot;>&lt;script>alert(1)&lt;/script></textarea>`);
    expect(body).not.toContain('<script');
  });

  it('that the page does not have any more is not lost', async () => {
    web.respond(replyToIssueDiscussion, () => discussionErrors.notFound());
    const { status, body } = await send(comment({ form: 'reply', of: 'a'.repeat(40), body: 'A long reply' }));
    expect(status).toBe(422);
    expect(body).toMatch(/role="alert">No such discussion.*<h2>What you typed<\/h2>.*>A long reply<\/textarea>/s);
    refusal = commonErrors.forbidden();
    expect((await send(comment())).body).not.toContain('What you typed');
  });

  it('is counted by the limit of its operation', async () => {
    limit = 1;
    await web.emit(applicationSettingsChanged, { names: ['notes_create_limit'] });
    await eventually(async () => (await send(comment())).status === 429);
    const { status, body } = await send(comment({ body: 'One more' }));
    expect([status, body]).toEqual([429, expect.stringContaining('>One more</textarea>')]);
    limit = 0;
    await web.emit(applicationSettingsChanged, { names: ['notes_create_limit'] });
    await eventually(async () => (await send(comment())).status === 303);
  });
});

describe('what was typed is shown', () => {
  const lost = async (fields: Record<string, unknown>, to: { path?: string; cookie?: string } = {}) => {
    const { status, body } = await send(fields, to);
    expect(body).toContain('>A long text</textarea>');
    expect(body).not.toContain('csrf-of-somebody');
    expect(notes).toEqual([]);
    return { status, body };
  };
  const long = { body: 'A long text' };

  it('if nobody is signed in', async () => {
    const { status, body } = await lost(comment(long), { cookie: 'none' });
    expect([status, body]).toEqual([422, expect.stringContaining('You are not signed in.')]);
  });

  it.each([undefined, 'csrf-of-somebody', ['csrf-of-ada']])('if the form is not of this browser: %j', async (csrf) => {
    const { status, body } = await lost(comment({ ...long, csrf }));
    expect([status, body]).toEqual([422, expect.stringContaining('It was not sent by a page of this browser.')]);
  });

  it.each([`${base}/-/issues/1/no/such`, '/no/such/-/issues/1', '/explore', '/%zz'])(
    'if there is no such page: %s',
    async (path) => {
      const { status, body } = await lost(comment(long), { path });
      expect([status, body]).toEqual([422, expect.stringContaining('The page of this form does not exist')]);
    },
  );

  it.each(['none', 'constructor', '__proto__', '', undefined])('if the page has no form %j', async (form) => {
    expect(await lost(comment({ ...long, form }))).toMatchObject({ status: 422 });
  });

  it('if the page itself cannot be shown again', async () => {
    refusal = commonErrors.unavailable();
    web.respond(getIssue, () => commonErrors.unavailable());
    expect(await lost(comment(long))).toMatchObject({ status: 503 });
    web.respond(getIssue, () => issue as never);
  });
});

describe('the form of an issue', () => {
  const edit = `${at}/edit`;
  const page = async () => {
    const { body } = await send(
      { csrf: 'csrf-of-ada', form: 'issue', title: 'x'.repeat(9), was: '{"title":"?"}' },
      { path: edit },
    );
    return body;
  };

  it('changes only what the user changed, and refuses what somebody else changed', async () => {
    const shown = await page();
    expect(shown).toMatch(/Title was changed by somebody else meanwhile/);
    const was = /name="was" value="([^"]*)"/.exec(shown)![1]!.replaceAll('&quot;', '"');
    let given: unknown;
    web.respond(updateIssue, (input) => {
      given = input;
      return issue as never;
    });
    const fields = { csrf: 'csrf-of-ada', form: 'issue', was, title: 'Second', description: 'Text', labels: ['bug'] };
    expect(await send(fields, { path: edit })).toMatchObject({ status: 303, to: at });
    expect(given).toEqual({ id: String(project.id), issue_iid: 1, title: 'Second' });
  });

  it('for a new issue omits empty fields', async () => {
    let given: unknown;
    web.respond(createIssue, (input) => {
      given = input;
      return issue as never;
    });
    const fields = {
      csrf: 'csrf-of-ada',
      form: 'new-issue',
      title: 'New',
      other_labels: ' b ,a,, b',
      milestone_id: '0',
    };
    expect(await send(fields, { path: `${base}/-/issues/new` })).toMatchObject({ status: 303, to: at });
    expect(given).toEqual({
      ...{ id: String(project.id), title: 'New', confidential: false },
      ...{ labels: ['a', 'b'], milestone_id: 0 },
    });
  });
});
