import type { OutboundPolicies } from '@moothall/outbound';
import { SecretBox } from '@moothall/secrets';
import type { Deliveries } from '../delivery/deliveries';
import type { HookOwner, Hooks, NewHook } from './hook.repository';
import type { Hook } from './hook.schema';
import { type GivenHook, WriteHook } from './write-hook';

const box = new SecretBox('a key');
const owner = { kind: 'project', parentId: 1 } as const;

/** A hook with all secrets, for tests of changes. */
async function secretHook() {
  let kept: Hook;
  const hooks = {
    count: async () => 0,
    add: async (hook: NewHook) => {
      kept = { ...hook, _id: 1, createdAt: new Date() };
      return kept;
    },
    get: async () => kept,
    change: async (_owner: HookOwner, _id: number, changes: Partial<Hook>) => {
      kept = { ...kept, ...changes };
      return kept;
    },
  } as unknown as Hooks;
  const policies = { ofServices: async () => ({ allowsLocal: true, allowed: [] }) } as unknown as OutboundPolicies;
  const writeHook = new WriteHook(hooks, policies, { mend: async () => {} } as unknown as Deliveries, box);
  const pair = (key: string) => [{ key, value: 'hidden' }];
  await writeHook.create(
    owner,
    {
      url: 'https://127.0.0.1/{path}',
      ...{ token: 'a token', signing_token: 'a key', custom_headers: pair('X-Key'), url_variables: pair('path') },
    },
    {},
  );
  return async (given: GivenHook) => {
    const { sealedToken, sealedSigningToken, customHeaders, urlVariables } = await writeHook.change(
      owner,
      1,
      given,
      {},
    );
    const open = (sealed: string | null) => sealed && box.open(sealed);
    return [open(sealedToken), open(sealedSigningToken), customHeaders.length, urlVariables.length];
  };
}

it('keeps secrets if the server stays the same', async () => {
  const change = await secretHook();
  expect(await change({ url: 'https://127.0.0.1/other/{path}' })).toEqual(['a token', 'a key', 1, 1]);
  expect(await change({ name: 'named' })).toEqual(['a token', 'a key', 1, 1]);
});

it('deletes the secrets of the old server if the server changes, unless they are given again', async () => {
  const change = await secretHook();
  expect(await change({ url: 'https://127.0.0.2/{path}', token: 'another' })).toEqual(['another', null, 0, 0]);
});

it('detects another server also behind a variable', async () => {
  const change = await secretHook();
  await change({ url: 'https://{host}/', url_variables: [{ key: 'host', value: '127.0.0.1' }] });
  expect(await change({ url_variables: [{ key: 'host', value: '127.0.0.2' }] })).toEqual([null, null, 0, 1]);
});
