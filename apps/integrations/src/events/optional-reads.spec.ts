import { commonErrors } from '@moothall/contracts';
import { OptionalReads } from './optional-reads';

const never = () => new Promise<never>(() => {});
const newAsker = () => new OptionalReads({ patienceMs: 20, leftAloneMs: 60_000 });

it('returns answers and throws refusals', async () => {
  const asker = newAsker();
  expect(await asker.ask('storage', async () => 'yes')).toBe('yes');
  await expect(asker.ask('storage', () => Promise.reject(commonErrors.forbidden()))).rejects.toMatchObject({
    value: { code: 'common.forbidden' },
  });
});

it('returns nothing if a service is unreachable, and asks again the next time', async () => {
  const asker = newAsker();
  expect(await asker.ask('storage', () => Promise.reject(commonErrors.unavailable()))).toBeNull();
  expect(await asker.ask('storage', async () => 'back')).toBe('back');
});

it('waits once for a service that does not answer, and skips it for a while', async () => {
  const asker = newAsker();
  expect(await asker.ask('storage', never)).toBeNull();
  const asked = jest.fn(never);
  expect(await asker.ask('storage', asked)).toBeNull();
  expect(asked).not.toHaveBeenCalled();
  expect(await asker.ask('another', async () => 'yes')).toBe('yes');
});
