import { randomBytes } from 'node:crypto';
import type { OwnServer } from '../server/own-server';

/** The content of an answer. */
export type Shown = { [name: string]: unknown };
export type Send = (method: string, path: string, body?: object) => Promise<Shown>;

export interface World {
  send: Send;
  /** Part of unique names. */
  word: string;
  userIds: number[];
  projectId: number;
  groupId: number;
  milestoneId: number;
  epicId: number;
  project: string;
  group: string;
}

/** A group with a project with three branches, in which everything else is created. */
export async function makeWorld(server: OwnServer): Promise<World> {
  const word = `w${randomBytes(4).toString('hex')}`;
  const send = (async (method, path, body) => (await server.api(method, path, body)) ?? {}) as Send;
  const user = async (name: string) => {
    const username = `${name}-${word}`;
    const account = { username, name: username, email: `${username}@example.com`, password: `secret-${word}` };
    return Number((await send('POST', '/users', { ...account, skip_confirmation: true })).id);
  };
  const userIds = [await user('first'), await user('second'), await user('third')];
  const { id: groupId } = await send('POST', '/groups', { name: word, path: word, visibility: 'public' });
  const { id: projectId } = await send('POST', '/projects', {
    ...{ name: word, namespace_id: groupId, visibility: 'public', initialize_with_readme: true },
  });
  const [group, project] = [`/groups/${groupId}`, `/projects/${projectId}`];
  for (const user_id of userIds) await send('POST', `${group}/members`, { user_id, access_level: 30 });
  for (const branch of ['feature', 'stable', 'other']) {
    await send('POST', `${project}/repository/branches`, { branch, ref: 'main' });
    await send('POST', `${project}/repository/commits`, {
      ...{ branch, commit_message: branch },
      actions: [{ action: 'create', file_path: `${branch}.txt`, content: branch }],
    });
  }
  const { id: milestoneId } = await send('POST', `${project}/milestones`, { title: word });
  const { id: epicId } = await send('POST', `${group}/epics`, { title: word });
  const ids = {
    ...{ userIds, projectId: Number(projectId), groupId: Number(groupId) },
    ...{ milestoneId: Number(milestoneId), epicId: Number(epicId) },
  };
  return { send, word, ...ids, project, group };
}

const pixels = {
  first: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  second: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
};

/** An image of one pixel. */
export const image = (which: keyof typeof pixels = 'first') =>
  new Blob([Buffer.from(pixels[which], 'base64')], { type: 'image/png' });
