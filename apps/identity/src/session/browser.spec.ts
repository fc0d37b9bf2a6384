import type { OperationContext } from '@moothall/contracts';
import type { IdentitySettings } from '../settings/settings';
import { Browsers } from './browser';

const [former, next] = ['the key of before, long enough for it', 'the key from now on, long enough for it'];

function browsersUnder(SECRET_KEY: string, SECRET_KEY_ACCEPTED?: string): Browsers {
  const settings = { SECRET_KEY, SECRET_KEY_ACCEPTED, EXTERNAL_URL: 'http://moothall.test' };
  const appearance = { read: async () => undefined };
  return new Browsers(
    { find: async () => null } as never,
    {} as never,
    appearance as never,
    settings as IdentitySettings,
  );
}

const visitOf = (browsers: Browsers) =>
  browsers.visit({ client: { cookie: `_moothall_session=${'x'.repeat(43)}` } } as OperationContext);

describe('a form of a process with another key', () => {
  it('is our own while that key is accepted, on both sides of the change', async () => {
    const [before, after] = [browsersUnder(former, next), browsersUnder(next, former)];
    expect(after.isOwnForm(await visitOf(after), (await visitOf(before)).csrf)).toBe(true);
    expect(before.isOwnForm(await visitOf(before), (await visitOf(after)).csrf)).toBe(true);
  });

  it('is refused', async () => {
    const after = browsersUnder(next);
    expect(after.isOwnForm(await visitOf(after), (await visitOf(browsersUnder(former))).csrf)).toBe(false);
    expect(after.isOwnForm(await visitOf(after), undefined)).toBe(false);
  });
});
