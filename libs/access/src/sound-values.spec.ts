import { refuseUnsound } from './sound-values';

it.each([
  ['NUL', { a: ['x\0'] }],
  ['NUL in a name', { 'x\0': 1 }],
  ['half of a surrogate pair', { a: '\ud800' }],
])('refuses %s', (_, value) => {
  expect(() => refuseUnsound(value)).toThrow('common.bad_request');
});

it('does not change other values', () => {
  expect(() => refuseUnsound({ a: ['😀', null, 1, { b: true }] })).not.toThrow();
});
