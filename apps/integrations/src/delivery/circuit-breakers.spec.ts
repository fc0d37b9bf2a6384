import { CircuitBreakers } from './circuit-breakers';

let nowMs = 0;
let breakers: CircuitBreakers;
beforeEach(() => {
  nowMs = 0;
  breakers = new CircuitBreakers(() => nowMs);
});

const attempt = (isThere: boolean): number => {
  const waitMs = breakers.enter('dead');
  if (waitMs === 0) breakers.leave('dead', isThere);
  return waitMs;
};

it('skips a target after five failures, longer each time, and no others', () => {
  for (let count = 0; count < 5; count += 1) expect(attempt(false)).toBe(0);
  expect(attempt(false)).toBe(10_000);
  expect(breakers.enter('alive')).toBe(0);
  nowMs += 10_000;
  expect(attempt(false)).toBe(0);
  expect(attempt(false)).toBe(20_000);
});

it('sends to it again once one attempt went well', () => {
  for (let count = 0; count < 5; count += 1) attempt(false);
  nowMs += 10_000;
  expect(breakers.enter('dead')).toBe(0);
  expect(breakers.enter('dead')).toBeGreaterThan(0);
  breakers.leave('dead', true);
  expect(breakers.enter('dead')).toBe(0);
  expect(breakers.enter('dead')).toBe(0);
});

it('has a share of the places and no more', () => {
  for (let count = 0; count < 16; count += 1) expect(breakers.enter('busy')).toBe(0);
  expect(breakers.enter('busy')).toBeGreaterThan(0);
  breakers.leave('busy', true);
  expect(breakers.enter('busy')).toBe(0);
});

it('does not count a target without a request', () => {
  for (let count = 0; count < 9; count += 1) {
    expect(breakers.enter('dead')).toBe(0);
    breakers.leave('dead', null);
  }
  for (let count = 0; count < 5; count += 1) expect(attempt(false)).toBe(0);
  nowMs += 10_000;
  expect(breakers.enter('dead')).toBe(0);
  breakers.leave('dead', null);
  expect(attempt(false)).toBe(0);
  expect(attempt(false)).toBe(20_000);
});
