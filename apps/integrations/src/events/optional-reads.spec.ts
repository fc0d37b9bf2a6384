import { commonErrors } from '@moothall/contracts';
import { OptionalReads } from './optional-reads';

const never = () => new Promise<never>(() => {});
const newReads = () => new OptionalReads({ patienceMs: 20, leftAloneMs: 60_000 });

it('returns answers and throws refusals', async () => {
  const reads = newReads();
  expect(await reads.ask('storage', async () => 'yes')).toBe('yes');
  await expect(reads.ask('storage', () => Promise.reject(commonErrors.forbidden()))).rejects.toMatchObject({
    value: { code: 'common.forbidden' },
  });
});

it('returns nothing if a service is unreachable, and asks again the next time', async () => {
  const reads = newReads();
  expect(await reads.ask('storage', () => Promise.reject(commonErrors.unavailable()))).toBeNull();
  expect(await reads.ask('storage', async () => 'back')).toBe('back');
});

it('waits once for a service that does not answer, and skips it for a while', async () => {
  const reads = newReads();
  expect(await reads.ask('storage', never)).toBeNull();
  const asked = jest.fn(never);
  expect(await reads.ask('storage', asked)).toBeNull();
  expect(asked).not.toHaveBeenCalled();
  expect(await reads.ask('another', async () => 'yes')).toBe('yes');
});
