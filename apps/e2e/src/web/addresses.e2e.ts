import { pathOf } from '../access/case-request';
import { rules, type SubjectName } from '../access/matrix';
import { makeWorld, type World } from '../access/world';
import { asRoot } from '../access/world/send';
import { addIteration } from '../collaboration/add-iteration';
import { PageVisitor } from '../identity/page-visitor';
import { Receiver } from '../integrations/receiver';
import { ask, connection, uniqueName } from '../server/connection';
import { until } from '../server/until';

/*
 * Every address for browsers in an answer of the interface, or in the payload of a webhook, opens. The page of a record has
 * its name. Mails have the same addresses as webhooks.
 */

/** An address in an answer. */
interface Found {
  /** The answered request, and the property. */
  where: string;
  /** Title or name of the record with this address. */
  name: string | undefined;
}

/** Properties with addresses that begin with the path. */
const pathProperties = /^(?:web|tag|commit)_path$/;
/** Properties with addresses for git and other programs. */
const forPrograms = /^(?:http_url_to_repo|git_http_url|git_ssh_url|http_url|ssh_url|location)$/;
/** The state of each subject in which visitors without a session see the least. */
const states: Record<SubjectName, string> = {
  ...{ project: 'private', group: 'private', issue: 'confidential', epic: 'confidential' },
  ...{ snippet: 'private', user: 'active', instance: 'here' },
};

/** The first part of the path of a project, a group or a user. */
const ownerOf = (address: string): string => address.replace(/^\/groups/, '').split('/')[1] ?? '';

class Addresses {
  readonly found = new Map<string, Found>();

  /** Adds the addresses in a JSON value. */
  collect(where: string, value: unknown, property = '', name?: string): void {
    if (typeof value === 'string') this.add(where, value, property, name);
    else if (Array.isArray(value)) for (const one of value) this.collect(where, one, property, name);
    else if (typeof value === 'object' && value !== null) {
      const record = value as Record<string, unknown>;
      const own = record.title ?? record.name ?? record.username;
      for (const [key, one] of Object.entries(record))
        this.collect(where, one, key, typeof own === 'string' ? own : undefined);
    }
  }

  private add(where: string, value: string, property: string, name: string | undefined): void {
    const address = value.startsWith(`${connection.url}/`) ? value.slice(connection.url.length) : value;
    if (address === value && !pathProperties.test(property)) return;
    if (address.startsWith('/api/') || forPrograms.test(property) || this.found.has(address)) return;
    const isOfRecord = property === 'web_url' || property === 'web_path';
    this.found.set(address, { where: `${where}: ${property}`, name: isOfRecord ? name : undefined });
  }

  /** Lists of the instance contain records of other tests, too: of the administrator, or with unusual names. */
  addOfSameOwners(others: Addresses): void {
    const owners = new Set([...this.found.keys()].map(ownerOf));
    for (const shared of ['-', connection.username]) owners.delete(shared);
    for (const [address, found] of others.found)
      if (owners.has(ownerOf(address)) && !this.found.has(address)) this.found.set(address, found);
  }

  /** Loads each. @returns those that do not open, or whose page does not name the record */
  async wrong(visitor: PageVisitor): Promise<string[]> {
    const wrong: string[] = [];
    for (const [address, { where, name }] of this.found) {
      const answer = await visitor.load(address);
      const text = await answer.text();
      const isNamed = name === undefined || text.includes(name.replaceAll('&', '&amp;'));
      if (answer.status !== 200 || !isNamed)
        wrong.push(`${where}: ${address}: ${answer.status}, named ${name}: ${isNamed}`);
    }
    return wrong;
  }
}

let world: World;
const visitor = new PageVisitor();
const receiver = new Receiver();

beforeAll(async () => {
  world = await makeWorld();
  await visitor.signIn(connection.username, connection.password);
  await receiver.start();
}, 120_000);
afterAll(() => receiver.stop());

it('each address in an answer to a read opens', async () => {
  const { id, path: groupPath } = world.records.group.private!;
  await addIteration(decodeURIComponent(groupPath!), 'First days');
  await asRoot('POST', `/projects/${world.records.project.private!.id}/releases/v1/evidence`);
  const [addresses, ofInstance] = [new Addresses(), new Addresses()];
  const asked = rules.flatMap(({ operations, of = 'project' }) =>
    operations.map((operation) => ({ of, ...(typeof operation === 'string' ? { ask: operation } : operation) })),
  );
  const reads = asked.filter(({ ask, isAtRoot }) => ask.startsWith('GET ') && !isAtRoot);
  for (const { of, ...request } of [...reads, { of: 'group' as const, ask: `GET /groups/${id}/iterations` }]) {
    const path = pathOf(request, world.records[of][states[of]]!);
    const answer = await ask(path, { token: connection.token, redirect: 'manual' });
    const isJson = answer.ok && answer.headers.get('content-type')?.startsWith('application/json');
    if (isJson) (of === 'instance' ? ofInstance : addresses).collect(request.ask, await answer.json());
    else await answer.body?.cancel();
  }
  addresses.addOfSameOwners(ofInstance);
  const node = uniqueName('node');
  const { id: nodeId } = await asRoot('POST', '/geo_nodes', { name: node, url: `https://${node}.example.com/` });
  addresses.collect('GET /geo_nodes/:id', await asRoot('GET', `/geo_nodes/${nodeId}`));
  expect(await addresses.wrong(visitor)).toEqual([]);
  await asRoot('DELETE', `/geo_nodes/${nodeId}`);
  const kinds = new Set([...addresses.found.keys()].map((address) => /\/-\/([a-z_]+)/.exec(address)?.[1]));
  expect([...kinds]).toEqual(
    expect.arrayContaining([
      ...['blob', 'commit', 'compare', 'epics', 'issues', 'iterations', 'jobs', 'merge_requests', 'milestones'],
      ...['packages', 'pipelines', 'releases', 'snippets', 'system', 'tree'],
    ]),
  );
  expect([...addresses.found.keys()]).toEqual(
    expect.arrayContaining([
      `/admin/geo/nodes/${nodeId}/edit`,
      expect.stringMatching(/\/-\/releases\/v1\/evidences\/1\.json$/),
      expect.stringMatching(/\/-\/tags\/v1$/),
    ]),
  );
}, 120_000);

it('each address in the payload of a webhook opens', async () => {
  const name = uniqueName('payloads');
  const project = await asRoot('POST', '/projects', { name, initialize_with_readme: true });
  const at = `/projects/${project.id}`;
  const kinds = ['push', 'tag_push', 'issues', 'note', 'merge_requests', 'job', 'pipeline', 'wiki_page', 'releases'];
  const events = Object.fromEntries(kinds.map((kind) => [`${kind}_events`, true]));
  await asRoot('POST', `${at}/hooks`, { url: receiver.url(`/${name}`), ...events });

  const { iid } = await asRoot('POST', `${at}/issues`, { title: 'An issue' });
  await asRoot('POST', `${at}/issues/${iid}/notes`, { body: 'A note' });
  const ciFile = { action: 'create', file_path: '.gitlab-ci.yml', content: 'job:\n  script: [echo]\n' };
  const commit = { branch: 'feature', start_branch: 'main', commit_message: 'add a pipeline', actions: [ciFile] };
  const { id: sha } = await asRoot('POST', `${at}/repository/commits`, commit);
  await asRoot('POST', `${at}/repository/commits/${sha}/comments`, { note: 'A remark' });
  const request = { title: 'A request', source_branch: 'feature', target_branch: 'main' };
  await asRoot('POST', `${at}/merge_requests`, request);
  await asRoot('POST', `${at}/repository/tags`, { tag_name: 'v1', ref: 'main' });
  await asRoot('POST', `${at}/releases`, { tag_name: 'v1', name: 'The first' });
  await asRoot('POST', `${at}/wikis`, { title: 'home', content: 'Welcome' });

  const received = () => receiver.at(`/${name}`).map(({ body }) => body);
  const expected = ['push', 'tag_push', 'issue', 'note', 'merge_request', 'build', 'pipeline', 'wiki_page', 'release'];
  await until('all payloads', () =>
    expected.every((kind) => received().some(({ object_kind }) => object_kind === kind)),
  );
  const addresses = new Addresses();
  for (const body of received()) addresses.collect(body.object_kind, body);
  expect(await addresses.wrong(visitor)).toEqual([]);
  expect([...addresses.found.keys()].filter((address) => /wikis\/home\/diff|#note_/.test(address))).toHaveLength(3);
}, 60_000);
