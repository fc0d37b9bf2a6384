import { integrationKinds } from '@moothall/contracts';
import { commit, goneBranch, issue, mergeRequest, newTag, pipeline, push } from '../../../test/payloads';
import type { Payload } from '../payload/payload';
import type { OutgoingRequest, Settings } from '../request/outgoing';
import { trackerOf } from '../tracker/external-issues';
import { requestBuilders } from './request-builders';

const say = (slug: string, payload: Payload, settings: Settings, comments = true): OutgoingRequest[] =>
  requestBuilders[slug]!(payload, { settings, comments, tracker: undefined });
const read = ({ body }: OutgoingRequest) => JSON.parse(body);
const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;

/** They do not use HTTP, or only read. */
const silent = ['emails-on-push', 'pipelines-email', 'irker'];

it('has one for each kind that receives events', () => {
  const subscribed = integrationKinds.filter(({ slug, events }) => events.length > 0 && !silent.includes(slug));
  expect(Object.keys(requestBuilders).sort()).toEqual(subscribed.map(({ slug }) => slug).sort());
});

describe('webhook chats', () => {
  const settings = { webhook: 'https://chat.example.com/hook?key=1' };

  it.each(['slack', 'mattermost', 'discord', 'hangouts-chat', 'microsoft-teams', 'unify-circuit', 'webex-teams'])(
    '%s receives messages in its format',
    (slug) => {
      const all = [push(), issue(), pipeline(), newTag].map((payload) => say(slug, payload, settings));
      expect(all.map(([request, ...others]) => [request!.method, request!.url, others])).toEqual(
        all.map(() => ['POST', settings.webhook, []]),
      );
      expect(all.map(([request]) => read(request!))).toMatchSnapshot();
    },
  );

  it('is sent to the channel of its event, with a user name', () => {
    const named = {
      ...settings,
      username: 'hall',
      channel: '#all',
      issue_channel: '#issues',
      confidential_issue_channel: '#few',
    };
    const channels = [push(), issue(), issue({ confidential: true })].map(
      (payload) => read(say('slack', payload, named)[0]!).channel,
    );
    expect(channels).toEqual(['#all', '#issues', '#few']);
    expect(read(say('slack', push(), named)[0]!).username).toBe('hall');
  });

  it('links issues of another tracker', () => {
    const tracker = trackerOf('jira', { url: 'https://jira.example.com' }, true);
    const [request] = requestBuilders.slack!(issue(), { settings, comments: true, tracker });
    expect(read(request!).attachments[0].text).toContain('<https://jira.example.com/browse/AB-1|AB-1>');
  });
});

describe('task trackers', () => {
  it('asana comments on tasks, and completes those that are fixed', () => {
    const message = 'Fixes #123, see https://app.asana.com/1/2/456 and #123';
    const requests = say('asana', push({ commits: [commit(message)] }), { api_key: 'key' });
    expect(requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'POST https://app.asana.com/api/1.0/tasks/123/stories',
      'PUT https://app.asana.com/api/1.0/tasks/123',
      'POST https://app.asana.com/api/1.0/tasks/456/stories',
    ]);
    expect(requests[0]!.headers.authorization).toBe('Bearer key');
    expect(read(requests[0]!).data.text).toContain('pushed to branch main of ada/engine');
  });

  it('gets 50 requests for one push at most', () => {
    const message = Array.from({ length: 500 }, (_, at) => `#${at}`).join(' ');
    expect(say('asana', push({ commits: [commit(message)] }), { api_key: 'key' })).toHaveLength(50);
  });

  it('pivotaltracker receives each commit', () => {
    const [request] = say('pivotaltracker', push(), { token: 't' });
    expect(request).toMatchObject({
      url: 'https://www.pivotaltracker.com/services/v5/source_commits',
      headers: { 'x-trackertoken': 't' },
    });
    expect(read(request!).source_commit).toMatchObject({ author: 'Ada Lovelace', message: 'Turn the wheel' });
  });

  it('jira gets comments and links on named issues, and closes them from the default branch', () => {
    const settings = {
      url: 'https://jira.example.com/base/',
      username: 'u',
      password: 'p',
      jira_issue_transition_id: '5, 7',
    };
    const closing = push({ commits: [commit('Closes AB-1')] });
    expect(say('jira', closing, settings).map(({ url }) => url)).toEqual(
      ['comment', 'remotelink', 'transitions', 'transitions'].map(
        (last) => `https://jira.example.com/base/rest/api/2/issue/AB-1/${last}`,
      ),
    );
    expect(say('jira', closing, settings)[0]!.headers.authorization).toBe(basic('u:p'));
    expect(say('jira', { ...closing, ref: 'refs/heads/x' }, settings, false)).toHaveLength(1);
    expect(say('jira', mergeRequest(), settings)).toHaveLength(2);
    expect(say('jira', mergeRequest({ action: 'update' }), settings)).toEqual([]);
  });

  it('assembla gets requests at its own host only', () => {
    const [request] = say('assembla', push(), { token: 't/1', subdomain: 'space' });
    expect(request!.url).toBe('https://atlas.assembla.com/spaces/space/github_tool?secret_key=t%2F1');
    expect(say('assembla', push(), { token: 't', subdomain: '../evil' })).toEqual([]);
  });
});

describe('build servers', () => {
  const credentials = { username: 'u', password: 'p' };

  it('bamboo builds the plan', () => {
    const settings = { ...credentials, bamboo_url: 'https://b.example.com/x', build_key: 'KEY' };
    expect(say('bamboo', push(), settings)).toEqual([
      {
        method: 'GET',
        url: 'https://b.example.com/x/updateAndBuild.action?buildKey=KEY&os_authType=basic',
        headers: { authorization: basic('u:p') },
        body: '',
      },
    ]);
    expect(say('bamboo', goneBranch, settings)).toEqual([]);
  });

  it('teamcity queues a build of the branch', () => {
    const settings = { ...credentials, teamcity_url: 'https://t.example.com', build_type: 'a"b' };
    const [request] = say('teamcity', push({ ref: 'refs/heads/a<b' }), settings);
    expect(request!.body).toBe('<build branchName="a&#60;b"><buildType id="a&#34;b"/></build>');
  });

  it.each([
    ['jenkins', { jenkins_url: 'https://j.example.com/', project_name: 'a/b' }, 'https://j.example.com/project/a/b'],
    [
      'drone-ci',
      { drone_url: 'https://d.example.com', token: 't' },
      'https://d.example.com/hook?owner=ada&name=engine&access_token=t',
    ],
    [
      'buildkite',
      { project_url: 'https://buildkite.com/a/b', token: 'w:s' },
      'https://webhook.buildkite.com/deliver/w',
    ],
    ['packagist', { username: 'u', token: 't' }, 'https://packagist.org/api/update-package?username=u&apiToken=t'],
  ])('%s is sent the payload of hooks', (slug, settings, url) => {
    const [request] = say(slug, push(), settings as Settings);
    expect(request!.url).toBe(url);
    expect(read(request!)).toEqual(push());
  });

  it('datadog receives events at the site of the account', () => {
    const [request] = say('datadog', pipeline(), { api_key: 'k', datadog_site: 'datadoghq.eu', datadog_env: 'e' });
    expect(request!.url).toBe('https://webhooks-http-intake.logs.datadoghq.eu/v1/input/k?env=e');
    expect(say('datadog', pipeline(), { api_key: 'k', datadog_site: 'x/evil' })).toEqual([]);
  });

  it('github has the status of the commit', () => {
    const [request] = say('github', pipeline(), { token: 't', repository_url: 'https://github.com/a/b.git' });
    expect(request!.url).toBe(`https://api.github.com/repos/a/b/statuses/${'c'.repeat(40)}`);
    expect(read(request!)).toEqual({
      state: 'failure',
      target_url: 'https://hall.example.com/ada/engine/-/pipelines/21',
      description: 'Pipeline failed on hall.example.com',
      context: 'ci/moothall/hall.example.com',
    });
    const own = { token: 't', repository_url: 'https://git.example.com/a/b', static_context: false };
    const [other] = say('github', pipeline({ status: 'running' }), own);
    expect(other!.url).toContain('https://git.example.com/api/v3/repos/a/b/');
    expect(read(other!)).toMatchObject({ state: 'pending', context: 'ci/moothall/main' });
  });
});

describe('chat tokens and notices', () => {
  it('campfire speaks in the room', () => {
    const [request] = say('campfire', push(), { token: 't', subdomain: 'hall', room: '5' });
    expect(request).toMatchObject({
      url: 'https://hall.campfirenow.com/room/5/speak.json',
      headers: { authorization: basic('t:X') },
    });
    expect(say('campfire', push(), { token: 't', subdomain: 'hall' })).toEqual([]);
  });

  it('hipchat gets HTML in which names are only text', () => {
    const payload = push({ user_name: '<script>' });
    const [request] = say('hipchat', payload, {
      token: 't',
      room: 'a b',
      notify: true,
      server: 'https://h.example.com',
    });
    expect(request!.url).toBe('https://h.example.com/v2/room/a%20b/notification?auth_token=t');
    expect(read(request!)).toMatchObject({ notify: true, message_format: 'html' });
    expect(read(request!).message).toContain('&lt;script&gt;');
  });

  it('flowdock has an activity', () => {
    const [request] = say('flowdock', push(), { token: 't' });
    expect(read(request!)).toMatchObject({ flow_token: 't', event: 'activity', author: { email: 'ada@example.com' } });
  });

  it('pushover repeats urgent messages', () => {
    const [request] = say('pushover', push(), { api_key: 'a', user_key: 'u', priority: '2' });
    const fields = Object.fromEntries(new URLSearchParams(request!.body));
    expect(fields).toMatchObject({ token: 'a', user: 'u', priority: '2', retry: '60', expire: '3600' });
  });
});
