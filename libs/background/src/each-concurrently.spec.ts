import { eachConcurrently } from './each-concurrently';

const turn = () => new Promise((resolve) => setImmediate(resolve));

it('each is worked on once, so many at a time', async () => {
  const done: number[] = [];
  let underWay = 0;
  let most = 0;
  await eachConcurrently([1, 2, 3, 4, 5], 2, async (item) => {
    most = Math.max(most, ++underWay);
    await turn();
    underWay--;
    done.push(item);
  });
  expect(done.sort()).toEqual([1, 2, 3, 4, 5]);
  expect(most).toBe(2);
});

it('starts nothing after a failure, and throws when running work has ended', async () => {
  const begun: number[] = [];
  const ended: number[] = [];
  const work = async (item: number) => {
    begun.push(item);
    if (item === 1) throw new Error('the first');
    await turn();
    ended.push(item);
  };
  await expect(eachConcurrently([1, 2, 3, 4], 2, work)).rejects.toThrow('the first');
  expect(begun).toEqual([1, 2]);
  expect(ended).toEqual([2]);
});
