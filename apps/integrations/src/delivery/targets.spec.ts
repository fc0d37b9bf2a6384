import { Targets } from './targets';

let nowMs = 0;
let targets: Targets;
beforeEach(() => {
  nowMs = 0;
  targets = new Targets(() => nowMs);
});

const attempt = (isThere: boolean): number => {
  const waitMs = targets.enter('dead');
  if (waitMs === 0) targets.leave('dead', isThere);
  return waitMs;
};

it('leaves a target alone after five failures, longer each time, and others not', () => {
  for (let count = 0; count < 5; count += 1) expect(attempt(false)).toBe(0);
  expect(attempt(false)).toBe(10_000);
  expect(targets.enter('alive')).toBe(0);
  nowMs += 10_000;
  expect(attempt(false)).toBe(0);
  expect(attempt(false)).toBe(20_000);
});

it('sends to it again once one attempt went well', () => {
  for (let count = 0; count < 5; count += 1) attempt(false);
  nowMs += 10_000;
  expect(targets.enter('dead')).toBe(0);
  expect(targets.enter('dead')).toBeGreaterThan(0);
  targets.leave('dead', true);
  expect(targets.enter('dead')).toBe(0);
  expect(targets.enter('dead')).toBe(0);
});

it('has a share of the places and no more', () => {
  for (let count = 0; count < 16; count += 1) expect(targets.enter('busy')).toBe(0);
  expect(targets.enter('busy')).toBeGreaterThan(0);
  targets.leave('busy', true);
  expect(targets.enter('busy')).toBe(0);
});

it('learns nothing of a target that was not asked', () => {
  for (let count = 0; count < 9; count += 1) {
    expect(targets.enter('dead')).toBe(0);
    targets.leave('dead', null);
  }
  for (let count = 0; count < 5; count += 1) expect(attempt(false)).toBe(0);
  nowMs += 10_000;
  expect(targets.enter('dead')).toBe(0);
  targets.leave('dead', null);
  expect(attempt(false)).toBe(0);
  expect(attempt(false)).toBe(20_000);
});
