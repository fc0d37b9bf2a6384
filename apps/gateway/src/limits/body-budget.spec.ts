import { BodyBudget } from './body-budget';

describe('BodyBudget', () => {
  it('gives one caller half of it, the next one half of the rest, and so on', () => {
    const budget = new BodyBudget(1000);
    const fill = (caller: string) => {
      let bytes = 0;
      try {
        for (;;) {
          budget.take(caller, 1);
          bytes++;
        }
      } catch {
        return bytes;
      }
    };
    expect(['a', 'b', 'c'].map(fill)).toEqual([500, 250, 125]);
    expect(() => budget.take('d', 100)).not.toThrow();
  });

  it('reuses released bytes, and forgets callers without any', () => {
    const budget = new BodyBudget(10);
    budget.take('a', 5);
    expect(() => budget.take('a', 1)).toThrow('too_many_requests');
    budget.giveBack('a', 5);
    expect(() => budget.take('a', 5)).not.toThrow();
    budget.giveBack('nobody', 0);
  });
});
