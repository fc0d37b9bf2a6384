import { commonErrors } from '@moothall/contracts';
import { UnlessAway } from './unless-away';

const never = () => new Promise<never>(() => {});
const newAsker = () => new UnlessAway({ patienceMs: 20, leftAloneMs: 60_000 });

it('passes on what is answered, and what is refused', async () => {
  const asker = newAsker();
  expect(await asker.ask('storage', async () => 'yes')).toBe('yes');
  await expect(asker.ask('storage', () => Promise.reject(commonErrors.forbidden()))).rejects.toMatchObject({
    value: { code: 'common.forbidden' },
  });
});

it('does without those who are away, and asks them the next time', async () => {
  const asker = newAsker();
  expect(await asker.ask('storage', () => Promise.reject(commonErrors.unavailable()))).toBeNull();
  expect(await asker.ask('storage', async () => 'back')).toBe('back');
});

it('waits once for those who are silent, and not for a while after', async () => {
  const asker = newAsker();
  expect(await asker.ask('storage', never)).toBeNull();
  const asked = jest.fn(never);
  expect(await asker.ask('storage', asked)).toBeNull();
  expect(asked).not.toHaveBeenCalled();
  expect(await asker.ask('another', async () => 'yes')).toBe('yes');
});
