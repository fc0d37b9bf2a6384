import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { asRoot } from '../access/world/send';
import { finishJob } from '../ci/finish-job';
import { PageVisitor } from '../identity/page-visitor';
import { connection, newUser, root, uniqueName } from '../server/connection';
import { until } from '../server/until';

/*
 * Every link in a mail opens for its receiver, and the page names the record. The server of the tests has no mail server,
 * and writes mails as files. Mails about disabled hooks have no links.
 */

interface Mail {
  subject: string;
  text: string;
}

const encoded = (text: string): string => encodeURIComponent(text).replaceAll('%2F', '/');

/** Mails to an address, the oldest first. */
function mailsTo(address: string): Mail[] {
  const folder = connection.places.mail!;
  const files = readdirSync(folder).filter((name) => name.endsWith('.eml'));
  const mails = files.sort().map((name) => readFileSync(path.join(folder, name), 'utf8'));
  return mails.filter((mail) => mail.includes(`\nTo: ${address}\n`)).map(readMail);
}

function readMail(mail: string): Mail {
  const end = mail.indexOf('\n\n');
  const [head, body] = [mail.slice(0, end).replaceAll('\n ', ' '), mail.slice(end + 2)];
  const [, subject = ''] = /^Subject: (.*)$/m.exec(head) ?? [];
  expect(head).toMatch(/^Content-Type: text\/plain; charset=utf-8$/m);
  return { subject, text: decoded(body, /^Content-Transfer-Encoding: (.*)$/m.exec(head)?.[1]) };
}

function decoded(body: string, encoding: string | undefined): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString();
  if (encoding !== 'quoted-printable') return body;
  const bytes = body
    .replaceAll('=\n', '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString();
}

const linksIn = ({ text }: Mail): string[] =>
  [...text.matchAll(/https?:\/\/[^\s<>"()]+[^\s<>"().,]/g)].map(([link]) => link);

/** Waits for a mail with some words, and opens each of its links. @param text what the page of a link has */
async function openLinks(visitor: PageVisitor, address: string, words: RegExp, text: (link: string) => string) {
  const mail = await until(`the mail ${words}`, () =>
    mailsTo(address).find((one) => words.test(`${one.subject}\n${one.text}`)),
  );
  const opened: { path: string; status: number; isNamed: boolean }[] = [];
  for (const link of linksIn(mail)) {
    expect(link.startsWith(connection.url)).toBe(true);
    const answer = await visitor.load(link);
    const isNamed = (await answer.text()).includes(text(link));
    opened.push({ path: link.slice(connection.url.length), status: answer.status, isNamed });
  }
  return opened;
}

const named = (...paths: string[]) => paths.map((at) => ({ path: at, status: 200, isNamed: true }));

describe('mails about accounts', () => {
  it('lead to the form for a new password', async () => {
    const user = await newUser('forgetful');
    const visitor = new PageVisitor();
    const email = `${user.username}@example.com`;
    await visitor.submit(await visitor.load('/users/password/new'), { email });
    const opened = await openLinks(visitor, email, /Reset password/, () => 'Choose a new password');
    expect(opened).toEqual(named(expect.stringMatching(/^\/users\/password\/edit\?reset_password_token=/) as never));
  });

  it('lead to the confirmation of an address', async () => {
    const user = await newUser('moving');
    const visitor = new PageVisitor();
    await visitor.signIn(user.username, user.password);
    const email = `${uniqueName('another')}@example.com`;
    await user.client.UserEmails.add(email);
    const opened = await openLinks(visitor, email, /Confirmation/, () => 'Address confirmed');
    expect(opened).toEqual(named(expect.stringMatching(/^\/users\/confirmation\?confirmation_token=/) as never));
  });
});

describe('mails about members and archives', () => {
  it('lead to this server, and to the project or the group', async () => {
    const [owner, guest, other] = [await newUser('owner'), await newUser('guest'), await newUser('other')];
    const name = uniqueName('mailed');
    const group = await owner.client.Groups.create(name, name, { visibility: 'public' });
    const project = await owner.client.Projects.create({ name, namespaceId: group.id, visibility: 'public' });
    const opened = (username: string, words: RegExp) =>
      openLinks(new PageVisitor(), `${username}@example.com`, words, (link) =>
        new URL(link).pathname === '/' ? 'Explore' : name,
      );
    const [ofGroup, ofProject] = [named(`/groups/${name}`), named(`/${name}/${name}`)];
    for (const { client } of [guest, other]) await client.GroupAccessRequests.request(group.id);
    expect(await opened(owner.username, new RegExp(`@${guest.username}\\) asks to join`))).toEqual(ofGroup);
    await owner.client.GroupAccessRequests.approve(group.id, guest.id, { accessLevel: 20 });
    expect(await opened(guest.username, /You are a member of the group/)).toEqual(ofGroup);
    await owner.client.GroupAccessRequests.deny(group.id, other.id);
    expect(await opened(other.username, /was denied/)).toEqual(ofGroup);
    const invited = uniqueName('invited');
    await owner.client.GroupInvitations.add(group.id, 20, { email: `${invited}@example.com` });
    expect(await opened(invited, /invites you to the group/)).toEqual(named(''));
    await owner.client.GroupImportExports.scheduleExport(group.id);
    expect(await opened(owner.username, /The export of the group/)).toEqual(ofGroup);
    await owner.client.ProjectImportExports.scheduleExport(project.id, undefined as never);
    expect(await opened(owner.username, /The export of the project/)).toEqual(ofProject);
  });
});

describe('mails about pushes and pipelines', () => {
  const receiver = { address: '', visitor: new PageVisitor() };
  const name = uniqueName('mails');
  let base: string;
  let id: number;
  const commit = (branch: string, message: string, more: object = {}) =>
    asRoot('POST', `/projects/${id}/repository/commits`, {
      ...{ branch, commit_message: message },
      actions: [{ action: 'create', file_path: uniqueName('file'), content: 'text\n' }],
      ...more,
    });
  const opened = (words: RegExp, text: (link: string) => string) =>
    openLinks(receiver.visitor, receiver.address, words, text);

  beforeAll(async () => {
    const user = await newUser('reader');
    await receiver.visitor.signIn(user.username, user.password);
    receiver.address = `${user.username}@example.com`;
    const project = await asRoot('POST', '/projects', { name, initialize_with_readme: true });
    id = Number(project.id);
    base = `/${project.path_with_namespace}`;
    await root.ProjectMembers.add(id, 20, { userId: user.id });
    const settings = { recipients: receiver.address, branches_to_be_notified: 'all' };
    await asRoot('PUT', `/projects/${id}/integrations/emails-on-push`, settings);
    const ofPipelines = { ...settings, notify_only_broken_pipelines: false };
    await asRoot('PUT', `/projects/${id}/integrations/pipelines-email`, ofPipelines);
  });

  it('lead to the commit and the comparison of a push', async () => {
    const before = (await asRoot('GET', `/projects/${id}/repository/commits`))[0]!.id;
    const { id: after } = await commit('main', 'Turn the wheel');
    expect(await opened(/pushed to branch main/, () => 'Turn the wheel')).toEqual(
      named(`${base}/-/commit/${after}`, `${base}/-/compare/${before}...${after}`),
    );
  });

  it('lead to a new branch, also with unusual characters, and to the project of one that is gone', async () => {
    const branch = 'fix/#1&ü%41';
    const { id: sha } = await commit(branch, 'Go aside', { start_branch: 'main' });
    const textOf = (link: string) => (link.includes('/tree/') ? branch.replace('&', '&amp;') : 'Go aside');
    expect(await opened(/pushed new branch/, textOf)).toEqual(
      named(`${base}/-/commit/${sha}`, `${base}/-/tree/${encoded(branch)}`),
    );
    await asRoot('DELETE', `/projects/${id}/repository/branches/${encodeURIComponent(branch)}`);
    expect(await opened(/deleted branch/, () => name)).toEqual(named(base));
  });

  it('lead to a new tag', async () => {
    await asRoot('POST', `/projects/${id}/repository/tags`, { tag_name: 'v1#a', ref: 'main' });
    expect(await opened(/pushed new tag/, () => 'v1#a')).toEqual(named(`${base}/-/tags`));
  });

  it('lead to the pipeline, its project and its commit', async () => {
    const ciFile = { action: 'create', file_path: '.gitlab-ci.yml', content: 'job:\n  script: [echo]\n' };
    const { id: sha } = await commit('main', 'Add a pipeline', { actions: [ciFile] });
    await finishJob(id, { 'a.txt': 'text\n' });
    const pipelineId = (await asRoot('GET', `/projects/${id}/pipelines`))[0]!.id;
    const texts = new Map([
      [`${base}/-/pipelines/${pipelineId}`, `#${pipelineId}`],
      [`${base}/-/commit/${sha}`, 'Add a pipeline'],
    ]);
    const textOf = (link: string) => texts.get(new URL(link).pathname) ?? name;
    expect(await opened(/^Pipeline #\d+ has passed/, textOf)).toEqual(
      named(`${base}/-/pipelines/${pipelineId}`, base, `${base}/-/commit/${sha}`),
    );
  });
});
