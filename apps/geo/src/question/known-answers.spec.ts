import { commonErrors } from '@moothall/contracts';
import { type Answer, KnownAnswers } from './known-answers';

const yes = (answer: unknown): Answer => ({ answer, refusal: null });
const no: Answer = { answer: null, refusal: { code: 'common.unauthorized' } };
const away = async (): Promise<Answer> => {
  throw commonErrors.unavailable();
};
const later = (ms: number) => jest.advanceTimersByTime(ms);

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

it('calls once for a moment, for any answer', async () => {
  const answers = new KnownAnswers(5_000, 60_000);
  const ask = jest.fn(async () => no);
  await Promise.all([answers.get('a', ask), answers.get('a', ask)]);
  later(4_999);
  expect(await answers.get('a', ask)).toEqual(no);
  expect(ask).toHaveBeenCalledTimes(1);
  later(1);
  expect(await answers.get('a', async () => yes(1))).toEqual(yes(1));
});

it('uses the last answer while the service does not answer, up to a limit', async () => {
  const answers = new KnownAnswers(5_000, 60_000);
  await answers.get('a', async () => yes(1));
  later(50_000);
  const asked = jest.fn(away);
  expect(await answers.get('a', asked)).toEqual(yes(1));
  later(4_000);
  expect(await answers.get('a', asked)).toEqual(yes(1));
  expect(asked).toHaveBeenCalledTimes(1);
  // Using an answer does not change its age.
  later(6_001);
  await expect(answers.get('a', asked)).rejects.toThrow('common.unavailable');
  await expect(answers.get('b', asked)).rejects.toThrow('common.unavailable');
});

it('waits once for a silent primary, for all questions', async () => {
  const answers = new KnownAnswers(5_000, 60_000);
  const [known, others] = [yes(1), yes(2)];
  await Promise.all([answers.get('a', async () => known), answers.get('b', async () => others)]);
  later(10_000);
  expect(await answers.get('a', away)).toEqual(known);
  const asked = jest.fn(away);
  expect(await answers.get('b', asked)).toEqual(others);
  expect(asked).not.toHaveBeenCalled();
  // Unknown answers need a request.
  await expect(answers.get('c', asked)).rejects.toThrow('common.unavailable');
  later(5_000);
  expect(await answers.get('b', async () => no)).toEqual(no);
});

it('uses no other cached answer if the service there does not answer', async () => {
  const answers = new KnownAnswers(5_000, 60_000);
  const notNow: Answer = { answer: null, refusal: { code: 'common.unavailable' } };
  await Promise.all([answers.get('a', async () => yes(1)), answers.get('b', async () => yes(2))]);
  later(10_000);
  expect(await answers.get('a', async () => notNow)).toEqual(yes(1));
  expect(await answers.get('b', async () => no)).toEqual(no);
  expect(await answers.get('c', async () => notNow)).toEqual(notNow);
  expect(await answers.get('c', async () => yes(3))).toEqual(yes(3));
});

it('calls again right after that, and uses the new answer', async () => {
  const answers = new KnownAnswers(5_000, 0);
  await answers.get('a', async () => yes(1));
  later(5_000);
  await expect(answers.get('a', away)).rejects.toThrow('common.unavailable');
  expect(await answers.get('a', async () => no)).toEqual(no);
});

it('caches nothing for an unknown question', async () => {
  const answers = new KnownAnswers(5_000, 60_000);
  await answers.get('a', async () => yes(1));
  later(5_000);
  await expect(
    answers.get('a', async () => {
      throw commonErrors.badRequest();
    }),
  ).rejects.toThrow('common.bad_request');
});
