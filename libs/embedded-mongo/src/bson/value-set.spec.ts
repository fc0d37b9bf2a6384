import { Double, Int32, Long, ObjectId } from 'bson';
import { ValueSet } from './value-set';

// The bytes of ids lie in blocks of 8 KB: a few of these lie across two.
it('contains all given ids, and no other', () => {
  const ids = Array.from({ length: 2000 }, () => new ObjectId());
  const known = new ValueSet(ids);
  expect(known.size).toBe(2000);
  expect(ids.filter((id) => !known.has(ObjectId.createFromHexString(id.toHexString())))).toEqual([]);
  expect(ids.map((id) => new ValueSet([id]).has(id))).not.toContain(false);
  expect(Array.from({ length: 2000 }, () => new ObjectId()).some((id) => known.has(id))).toBe(false);
});

it('counts numbers of all types as one', () => {
  const numbers = new ValueSet([new Int32(1), new Double(1), Long.fromNumber(1), 2]);
  expect(numbers.size).toBe(2);
  expect(numbers.has(1)).toBe(true);
  expect(numbers.has(new Int32(2))).toBe(true);
});
