import { severityNamed, severityOfScore } from './severity';

it.each([
  ['HIGH', 'high'],
  ['Critical', 'critical'],
  ['none', 'info'],
  ['moderate', 'unknown'],
  ['', 'unknown'],
  [null, 'unknown'],
  [undefined, 'unknown'],
])('the name %s is the severity %s', (name, severity) => {
  expect(severityNamed(name)).toBe(severity);
});

it.each([
  [10, 'critical'],
  [9, 'critical'],
  [8.9, 'high'],
  [7, 'high'],
  [6.9, 'medium'],
  [4, 'medium'],
  [3.9, 'low'],
  [0.1, 'low'],
  [0, 'info'],
])('the CVSS score %d is the severity %s', (score, severity) => {
  expect(severityOfScore(score)).toBe(severity);
});
