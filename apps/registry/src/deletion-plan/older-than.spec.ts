import { readOlderThan } from './older-than';

const hour = 3_600_000;
const day = 24 * hour;

it.each([
  ['1h', hour],
  ['1d', day],
  ['1month', 30 * day],
  ['7 days', 7 * day],
  ['90 minutes', 1.5 * hour],
  ['30m', hour / 2],
  ['2 mos', 60 * day],
  ['1mo', 30 * day],
  ['3w', 21 * day],
  ['2 wks', 14 * day],
  ['1 year', 365.25 * day],
  ['45s', 45_000],
  ['1.5 hours', 1.5 * hour],
  ['1h30m', 1.5 * hour],
  ['1 day, 12 hours', 1.5 * day],
  ['1 day and 12 hours', 1.5 * day],
  [' 2 WEEKS ', 14 * day],
])('reads %j', (text, ms) => {
  expect(readOlderThan(text)).toBe(ms);
});

it.each([
  '',
  ' ',
  '0d',
  '0.0h',
  '1',
  'd',
  '-1d',
  '1 fortnight',
  '1d2',
  '1d,,1h',
  'one day',
  '1e3d',
  'NaN days',
  '10000000000d',
  '1d; drop',
  `1d${'h'.repeat(90)}`,
])('refuses %j', (text) => {
  expect(readOlderThan(text)).toBeUndefined();
});
