import { commonErrors } from '@moothall/contracts';
import type { Msg } from 'nats';
import { LostReplies } from './lost-replies';
import type { Hello } from './replica-presence';

const answer = (held: string[]): Promise<Msg> => Promise.resolve({ json: () => held } as unknown as Msg);
const hello = (said: Hello): Msg => ({ data: new Uint8Array(1), json: () => said }) as unknown as Msg;
const gone = () => Promise.reject(commonErrors.unavailable());
const silent = () => Promise.reject(commonErrors.timeout());

interface Round {
  waiting: Map<string, { service: string; sentAt: number; tries: number; isUntaken?: boolean }>;
  replies: LostReplies;
}

/**
 * The requests that are given up after a round in which the replicas a and b of a service answer this about the
 * requests 1 and 2.
 * @param meanwhile called between the question and the answers
 */
async function givenUp(
  replicas: Record<'a' | 'b', () => Promise<Msg>>,
  { isUp = true, meanwhile = () => undefined }: { isUp?: boolean; meanwhile?: (round: Round) => void } = {},
): Promise<string[]> {
  const late = { service: 'trial', sentAt: Date.now() - 1_000, tries: 1 };
  const lost: string[] = [];
  const waiting: Round['waiting'] = new Map([
    ['1', { ...late }],
    ['2', { ...late, sentAt: Date.now() }],
    ['3', { ...late, service: 'other' }],
  ]);
  const replies: LostReplies = new LostReplies(waiting, {
    ask: (subject) => {
      meanwhile({ waiting, replies });
      return replicas[subject.at(-1) as 'a' | 'b']();
    },
    giveUp: (request) => lost.push(request),
    isUp: () => isUp,
  });
  for (const replica of ['a', 'b']) replies.meet(hello({ service: 'trial', replica }));
  replies.watch();
  await jest.advanceTimersByTimeAsync(300);
  return lost;
}

describe('LostReplies', () => {
  beforeAll(() => jest.useFakeTimers());
  afterAll(() => jest.useRealTimers());

  it('gives up requests that no replica has after one has ended, also recent ones', async () => {
    expect(await givenUp({ a: gone, b: () => answer([]) })).toEqual(['1', '2']);
    expect(await givenUp({ a: gone, b: () => answer(['1']) })).toEqual(['2']);
    expect(await givenUp({ a: gone, b: gone })).toEqual(['1', '2']);
  });

  it('gives up nothing while all replicas answer, one is busy, or the connection is lost', async () => {
    expect(await givenUp({ a: () => answer([]), b: () => answer([]) })).toEqual([]);
    expect(await givenUp({ a: gone, b: silent })).toEqual([]);
    expect(await givenUp({ a: gone, b: gone }, { isUp: false })).toEqual([]);
  });

  // A write that waited for a service got 503, though no replica had started it.
  it('does not give up requests that no replica received, whether they were sent again or not', async () => {
    const untaken = ({ waiting }: Round) => Object.assign(waiting.get('1')!, { isUntaken: true });
    expect(await givenUp({ a: gone, b: gone }, { meanwhile: untaken })).toEqual(['2']);
    const again = ({ waiting }: Round) => Object.assign(waiting.get('1')!, { tries: 2 });
    expect(await givenUp({ a: gone, b: gone }, { meanwhile: again })).toEqual(['2']);
  });

  it('gives up nothing while a replica was not asked: it may have them', async () => {
    const come = ({ replies }: Round) => replies.meet(hello({ service: 'trial', replica: 'new' }));
    expect(await givenUp({ a: gone, b: gone }, { meanwhile: come })).toEqual([]);
  });
});
