import { subscriberChanged } from '@moothall/contracts';
import type { NatsConnection } from 'nats';
import { type ParentKey, SubscriberCache } from './subscriber-cache';

type Take = (error: null, message: object) => void;

/** A connection on which a test publishes. */
function bus() {
  let take: Take | undefined;
  let reconnect: () => void = () => undefined;
  const sent: string[] = [];
  const state = { isUp: true };
  const connection = {
    publish: (_: string, text: string) => sent.push(text),
    flush: async () => {
      if (!state.isUp) throw new Error('disconnected');
    },
    subscribe: (_: string, { callback }: { callback: Take }) => {
      take = callback;
      return { unsubscribe: () => undefined };
    },
    async *status() {
      for (;;) {
        await new Promise<void>((resolve) => {
          reconnect = resolve;
        });
        yield { type: 'reconnect' };
      }
    },
  } as unknown as NatsConnection;
  return {
    connection,
    sent,
    state,
    changed: (kind: ParentKey['kind'], parent_id: number | null) => {
      const event = { id: 'e', name: subscriberChanged.name, data: { kind, parent_id }, occurredAt: '' };
      take?.(null, { subject: subscriberChanged.name, data: new Uint8Array(1), json: () => event });
    },
    reconnect: () => reconnect(),
  };
}

const project: ParentKey = { kind: 'project', parentId: 1 };
const group: ParentKey = { kind: 'group', parentId: 1 };

/** Subscribers in a database, and how often each place was looked at. */
function subscribers(...there: ParentKey[]) {
  const looked: string[] = [];
  const find = async (parents: readonly ParentKey[]) => {
    looked.push(parents.map(({ kind, parentId }) => `${kind} ${parentId}`).join(', '));
    return there.filter((one) => parents.some(({ kind, parentId }) => kind === one.kind && parentId === one.parentId));
  };
  return { there, looked, find };
}

const itself = (parent: ParentKey) => parent;

it('queries once without subscribers, and every time with one', async () => {
  const subscriberCache = new SubscriberCache(bus().connection);
  const { looked, find } = subscribers(group);
  const ask = (what: string) => subscriberCache.findUnlessEmpty([project, group], what, find, itself);
  expect([await ask('pushes'), await ask('pushes'), await ask('notes')]).toEqual([[group], [group], [group]]);
  expect(looked).toEqual(['project 1, group 1', 'group 1', 'project 1, group 1']);
});

it('queries again if a subscriber was added to this parent', async () => {
  const { connection, changed } = bus();
  const subscriberCache = new SubscriberCache(connection);
  const { looked, find, there } = subscribers();
  const ask = () => subscriberCache.findUnlessEmpty([project, group], 'pushes', find, itself);
  await ask();
  there.push(project);
  changed('project', 1);
  expect([await ask(), looked]).toEqual([[project], ['project 1, group 1', 'project 1']]);
});

it('caches no answer from before a change', async () => {
  const { connection, changed } = bus();
  const subscriberCache = new SubscriberCache(connection);
  const { find, there } = subscribers();
  const late = subscriberCache.findUnlessEmpty(
    [project],
    'pushes',
    async (parents) => {
      const found = await find(parents);
      there.push(project);
      changed('project', 1);
      return found;
    },
    itself,
  );
  expect(await late).toEqual([]);
  expect(await subscriberCache.findUnlessEmpty([project], 'pushes', find, itself)).toEqual([project]);
});

it('is empty after a gap in the connection', async () => {
  const { connection, reconnect } = bus();
  const subscriberCache = new SubscriberCache(connection);
  const { looked, find } = subscribers();
  const ask = () => subscriberCache.findUnlessEmpty([project], 'pushes', find, itself);
  await ask();
  await ask();
  reconnect();
  await new Promise(setImmediate);
  await ask();
  expect(looked).toHaveLength(2);
});

it('publishes that a subscriber was added, and fails if that may be lost', async () => {
  const { connection, sent, state } = bus();
  const subscriberCache = new SubscriberCache(connection);
  await subscriberCache.invalidate(project);
  expect(sent.map((text) => JSON.parse(text).data)).toEqual([{ kind: 'project', parent_id: 1 }]);
  state.isUp = false;
  await expect(subscriberCache.invalidate(project)).rejects.toMatchObject({ value: { code: 'common.unavailable' } });
});
