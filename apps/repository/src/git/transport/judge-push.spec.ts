import { judgePush, noticeOf } from './judge-push';

const [old, young] = ['1'.repeat(40), '2'.repeat(40)];
const created = (refName: string) => ({ refName, before: null, after: young });
const judge = async (...refNames: string[]) => [...(await judgePush({ updates: refNames.map(created) })).keys()];

it('accepts branches, tags and notes', async () => {
  expect(await judge('refs/heads/topic', 'refs/heads/a/b', 'refs/tags/v1', 'refs/notes/commits')).toEqual([]);
});

it.each(['HEAD', 'refs/merge-requests/1/head', 'refs/pull/1', 'refs/heads/', 'refs/heads/a..b', 'refs/heads/x.lock'])(
  'refuses %s',
  async (refName) => expect(await judge('refs/heads/topic', refName)).toEqual([refName]),
);

it.each(['refs/heads/HEAD', `refs/tags/${old}`, 'refs/heads/-x'])(
  'refuses to create %s, and allows its deletion',
  async (refName) => {
    expect(await judge(refName)).toEqual([refName]);
    expect((await judgePush({ updates: [{ refName, before: old, after: null }] })).size).toBe(0);
  },
);

it('checks the rules for all refs, and adds their refusals', async () => {
  const updates = [created('refs/heads/main'), created('refs/pull/1')];
  const authorize = jest.fn(async () => new Map([['refs/heads/main', 'protected']]));
  expect([...(await judgePush({ updates }, { authorize })).keys()]).toEqual(['refs/pull/1', 'refs/heads/main']);
  expect(authorize).toHaveBeenCalledWith(updates, []);
});

it('checks nothing for an empty push', async () => {
  const authorize = jest.fn(async () => new Map());
  await judgePush({ updates: [] }, { authorize });
  expect(authorize).not.toHaveBeenCalled();
});

it('reports options without effect, once each', () => {
  const options = [
    'merge_request.create',
    'ci.skip',
    'ci.variable=A=b',
    'ci.input=x',
    'ci.input=y',
    'merge_request.title=x',
    'other',
  ];
  expect(noticeOf({ options }).split('\n').slice(0, -1)).toEqual(
    ['merge_request.create', 'ci.input', 'merge_request.title'].map(
      (name) => `The push option ${name} is not supported and has no effect.`,
    ),
  );
  expect(noticeOf({ options: [] })).toBe('');
});
