import { comparesValues } from './compares-values';

it.each([
  {},
  { a: 1, b: null, c: new Date(0), d: 'x' },
  { a: { $in: [1, 'x', null] }, b: { $gt: new Date(0), $lte: 5 } },
  { $and: [{ a: 1 }, { $or: [{ b: { $all: [1, 2] } }, { c: { $elemMatch: { d: 1 } } }] }] },
])('accepts values and ranges: %j', (filter) => {
  expect(comparesValues(filter)).toBe(true);
});

it.each([
  { a: /x/ },
  { a: { $regex: 'x' } },
  { a: { $in: [1, /x/] } },
  { a: { $ne: 1 } },
  { a: { $nin: [1] } },
  { a: { $not: { $gt: 1 } } },
  { a: { $exists: false } },
  { $nor: [{ a: 1 }] },
  { $expr: { $eq: ['$a', '$b'] } },
  { $and: [{ a: 1 }, { $or: [{ b: 1 }, { c: { $elemMatch: { d: { $ne: 1 } } } }] }] },
  { a: new Map() },
])('refuses patterns, negations and expressions: %p', (filter) => {
  expect(comparesValues(filter)).toBe(false);
});
