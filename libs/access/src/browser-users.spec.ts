import {
  applicationSettingsChanged,
  type Caller,
  type EventRecord,
  identifyBrowser,
  projectChanged,
  sessionsEnded,
  userChanged,
} from '@moothall/contracts';
import { masked, unmasked } from '@moothall/secrets';
import { BrowserUsers } from './browser-users';

const hour = 3_600_000;
const eventOf = ({ name }: { name: string }, data: object) => ({ name, data }) as EventRecord;
const secret = Buffer.from('thirty-two bytes of some secret.');
const contextOf = (letter: string) => ({
  requestId: 'test',
  client: { ip: '192.0.2.7', userAgent: 'test', cookie: `a=b; _moothall_session=${letter.repeat(43)}` },
});

function open(answer: { caller?: { id: number } | null; expires_at?: string; is_password_due?: boolean } = {}) {
  const caller = { id: 7 } as Caller;
  const expires_at = new Date(Date.now() + hour).toISOString();
  const call = jest.fn(async () => ({ csrf: masked(secret), caller, expires_at, is_password_due: false, ...answer }));
  return { call, browsers: new BrowserUsers({ call } as never) };
}

it('asks once for a browser, and gives each page another token', async () => {
  const { call, browsers } = open();
  const answers = await Promise.all([browsers.identify(contextOf('x')), browsers.identify(contextOf('x'))]);
  answers.push(await browsers.identify(contextOf('x')));
  expect(call).toHaveBeenCalledTimes(1);
  expect(new Set(answers.map(({ csrf }) => csrf)).size).toBe(3);
  for (const { csrf, caller } of answers) expect([unmasked(csrf), caller?.id]).toEqual([secret, 7]);
  await browsers.identify(contextOf('y'));
  expect(call).toHaveBeenCalledTimes(2);
});

it('asks again after an event that may end the session, or change the user', async () => {
  const events = [
    eventOf(sessionsEnded, { user_id: 7 }),
    eventOf(userChanged, { user_id: 7, username: 'ada', state: 'blocked' }),
    eventOf(applicationSettingsChanged, {}),
  ];
  for (const event of events) {
    const { call, browsers } = open();
    await browsers.identify(contextOf('x'));
    browsers.onEvent(event);
    await browsers.identify(contextOf('x'));
    expect(call).toHaveBeenCalledTimes(2);
  }
});

it('keeps the answer after events of others', async () => {
  const { call, browsers } = open();
  await browsers.identify(contextOf('x'));
  browsers.onEvent(eventOf(sessionsEnded, { user_id: 8 }));
  browsers.onEvent(eventOf(projectChanged, { user_id: 7 }));
  await browsers.identify(contextOf('x'));
  expect(call).toHaveBeenCalledTimes(1);
});

it('always asks about the session of a form', async () => {
  const { call, browsers } = open();
  await browsers.identify(contextOf('x'));
  await browsers.identify(contextOf('x'), 'a token');
  await browsers.identify(contextOf('x'), '');
  expect(call).toHaveBeenCalledTimes(3);
  expect(call).toHaveBeenLastCalledWith(identifyBrowser, { csrf: '' }, contextOf('x'));
});

it.each([
  ['nobody is signed in', { caller: null }],
  ['the password is due', { is_password_due: true }],
  ['the session is over', { expires_at: new Date(Date.now() - 1).toISOString() }],
])('asks each time if %s', async (_what, answer) => {
  const { call, browsers } = open(answer);
  await browsers.identify(contextOf('x'));
  await browsers.identify(contextOf('x'));
  expect(call.mock.calls.length).toBeGreaterThanOrEqual(2);
});

it('asks each time for a browser without a session cookie', async () => {
  const { call, browsers } = open();
  const without = { requestId: 'test', client: { ip: '192.0.2.7', userAgent: 'test', cookie: 'a=b' } };
  await browsers.identify(without);
  await browsers.identify(without);
  expect(call).toHaveBeenCalledTimes(2);
});
