import type { OwnServer } from '../server/own-server';
import type { Deed } from '../server/steady-load';

interface Item {
  title?: string;
  name?: string;
  description?: string;
  path?: string;
}

/** A kind of write, and how to find it again. */
export interface Write {
  what: string;
  deed: Deed;
  list: string;
  /** Key of an item of the list; undefined for items of others. */
  keyOf: (item: Item) => string | undefined;
}

/** A project for one load. */
export interface Scene {
  /** Unique over all servers. */
  name: string;
  project: string;
  writes: Write[];
  reads: Deed[];
}

const isKey = (text: string | undefined): string | undefined => (/^k\d+-\d+$/.test(text ?? '') ? text : undefined);
const byTitle = ({ title }: Item) => isKey(title);
const byName = ({ name }: Item) => isKey(name);

/** Creates a new project, with its calls: writes and reads of every service. */
export async function makeScene(server: OwnServer, name: string): Promise<Scene> {
  const { id } = (await server.api('POST', '/projects', { name, initialize_with_readme: true })) as { id: number };
  const made = { email: `${name}@example.com`, username: name, name, password: `secret-${name}` };
  const user = (await server.api('POST', '/users', { ...made, skip_confirmation: true })) as { id: number };
  const project = `/projects/${id}`;
  const tokens = `/users/${user.id}/impersonation_tokens`;
  const write = (
    what: string,
    list: string,
    keyOf: Write['keyOf'],
    body: (key: string) => object,
    path = list,
  ): Write => ({ what, deed: { method: 'POST', path, body }, list, keyOf });
  // Records outside of projects have the name of the scene before their key.
  const ofScene = (text: string | undefined) =>
    text?.startsWith(`${name}-`) ? text.slice(name.length + 1) : undefined;
  return {
    name,
    project,
    writes: [
      write('issue', `${project}/issues`, byTitle, (title) => ({ title })),
      write('label', `${project}/labels`, byName, (label) => ({ name: label, color: '#ff0000' })),
      write('milestone', `${project}/milestones`, byTitle, (title) => ({ title })),
      write(
        'schedule',
        `${project}/pipeline_schedules`,
        ({ description }) => isKey(description),
        (description) => ({ description, ref: 'main', cron: '0 1 * * *' }),
      ),
      write('branch', `${project}/repository/branches`, byName, (branch) => ({ branch, ref: 'main' })),
      write('commit', `${project}/repository/commits`, byTitle, (commit_message) => ({
        ...{ branch: 'main', commit_message },
        actions: [{ action: 'create', file_path: `${commit_message}.txt`, content: commit_message }],
      })),
      write('release', `${project}/releases`, byName, (key) => ({ tag_name: `v-${key}`, name: key, ref: 'main' })),
      write('badge', `${project}/badges`, byName, (key) => ({
        ...{ name: key, link_url: 'https://example.com', image_url: 'https://example.com/badge.svg' },
      })),
      write('token', tokens, byName, (key) => ({ name: key, scopes: ['api'], expires_at: '2099-01-01' })),
      write(
        'node',
        '/geo_nodes',
        (item) => ofScene(item.name),
        (key) => ({ name: `${name}-${key}`, url: `https://${name}-${key}.example.com`, enabled: false }),
      ),
      write(
        'fork',
        `${project}/forks`,
        (item) => ofScene(item.path),
        (key) => ({ name: `${name}-${key}`, path: `${name}-${key}` }),
        `${project}/fork`,
      ),
    ],
    reads: [
      '/user',
      `${project}/repository/tree`,
      `${project}/members/all`,
      `${project}/pipelines`,
      `${project}/registry/repositories`,
      `${project}/hooks`,
      `${project}/vulnerabilities`,
    ].map((path) => ({ method: 'GET', path })),
  };
}

/** All pages of a list. */
export async function everything<T>(server: OwnServer, list: string): Promise<T[]> {
  const found: T[] = [];
  for (let page = 1; ; page++) {
    const items = (await server.api('GET', `${list}${list.includes('?') ? '&' : '?'}per_page=100&page=${page}`)) as T[];
    found.push(...items);
    if (items.length < 100) return found;
  }
}
