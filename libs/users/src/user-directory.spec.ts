import {
  applicationSettingsChanged,
  type EventRecord,
  eventSubject,
  userChanged,
  userDeleted,
  userErrors,
} from '@moothall/contracts';
import type { OperationClient } from '@moothall/messaging';
import type { NatsConnection } from 'nats';
import { UserDirectory, type UserRecord } from './user-directory';

const record = (id: number, name = `user${id}`): UserRecord => ({
  id,
  username: name,
  name,
  state: 'active',
  avatar_url: null,
  web_url: `https://example.com/${name}`,
  created_at: '2020-10-15T08:12:01.123Z',
  email: `${name}@example.com`,
  public_email: null,
  is_admin: false,
  is_external: false,
  can_create_group: true,
  projects_limit: 10,
});

describe('UserDirectory', () => {
  let asked: number[][];
  let answer: (ids: number[]) => Promise<UserRecord[]>;
  let hear: (event: Partial<EventRecord>) => void;
  let directory: UserDirectory;
  beforeEach(() => {
    asked = [];
    answer = async (ids) => ids.filter((id) => id < 5000).map((id) => record(id));
    const client = {
      call: (_: unknown, { ids }: { ids: number[] }) => {
        asked.push(ids);
        return answer(ids);
      },
    };
    const callbacks = new Map<string, (error: null, message: unknown) => void>();
    hear = (event) => callbacks.get(eventSubject(event.name!))!(null, { data: new Uint8Array(1), json: () => event });
    const connection = {
      status: async function* () {},
      subscribe: (subject: string, { callback }: { callback: (error: null, message: unknown) => void }) => {
        expect([userChanged, userDeleted, applicationSettingsChanged].map(({ name }) => eventSubject(name))).toContain(
          subject,
        );
        callbacks.set(subject, callback);
        return { unsubscribe() {} };
      },
    };
    directory = new UserDirectory(client as unknown as OperationClient, connection as unknown as NatsConnection);
  });

  it('calls nobody for impossible ids', async () => {
    await expect(directory.get(0)).rejects.toMatchObject({ value: { code: userErrors.notFound.code } });
    expect((await directory.records([-1, 1.5, 1e20])).size).toBe(0);
    expect(asked).toEqual([]);
  });

  it('calls once for many users, and not again for cached ones', async () => {
    await directory.records([1, 2, 2, 3]);
    expect([...(await directory.summaries([2, 4])).keys()]).toEqual([2, 4]);
    expect(asked).toEqual([[1, 2, 3], [4]]);
  });

  it('requests a thousand at a time', async () => {
    await directory.records(Array.from({ length: 2500 }, (_, at) => at + 1));
    expect(asked.map((ids) => ids.length)).toEqual([1000, 1000, 500]);
  });

  it('omits users who do not exist, and refuses to name one', async () => {
    expect((await directory.records([9999])).size).toBe(0);
    await expect(directory.get(9999)).rejects.toMatchObject({ code: 'user.not_found' });
  });

  it('returns only summaries', async () => {
    expect(Object.keys(await directory.summary(1))).toEqual([
      'id',
      'username',
      'name',
      'state',
      'avatar_url',
      'web_url',
    ]);
  });

  it('drops users who have changed', async () => {
    await directory.records([1, 2]);
    hear({ name: userChanged.name, data: { user_id: 1 } });
    await directory.records([1, 2]);
    expect(asked).toEqual([[1, 2], [1]]);
  });

  it('does not cache an answer from before a change that arrives after it', async () => {
    let release = (_: UserRecord[]) => {};
    answer = () => new Promise((resolve) => (release = resolve));
    const first = directory.records([1]);
    hear({ name: userChanged.name, data: { user_id: 1 } });
    release([record(1, 'old')]);
    expect((await first).get(1)?.name).toBe('old');
    answer = async () => [record(1, 'new')];
    expect((await directory.records([1])).get(1)?.name).toBe('new');
  });
});
