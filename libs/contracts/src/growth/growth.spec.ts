import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import * as contracts from '..';
import { type EventContract, type Operation, operation } from '../operation';
import { internal } from '../operation/access';
import { operations } from '../operations';
import { findBreaks } from './compare';
import { type ContractRecord, recordOf, render } from './record';

const file = path.resolve(__dirname, '../../contracts.json');
const isEvent = (value: unknown): value is EventContract =>
  typeof value === 'object' && value !== null && 'data' in value && 'name' in value && !('routes' in value);
const events = Object.values(contracts as Record<string, unknown>).filter(isEvent);

// A replica of the previous version runs beside one of the next during an update of a cluster. contracts.json has the
// contracts of the previous version; `npm run contracts:accept` writes it for a release.
describe('contracts only grow', () => {
  const now = recordOf(operations, events);
  const before: ContractRecord = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : now;
  if (process.env.CONTRACTS) {
    const isWanted = process.env.CONTRACTS === 'breaking' || findBreaks(before, now).length === 0;
    if (isWanted) writeFileSync(file, render(now));
  }

  it('and break nothing that the previous version relies on', () => {
    // Intended breaks are released in two versions, or accepted with CONTRACTS=breaking npm run contracts:accept.
    if (process.env.CONTRACTS !== 'breaking') expect(findBreaks(before, now)).toEqual([]);
  });

  it('all of them', () => {
    expect(Object.keys(now.operations).length).toBe(operations.length);
    expect(events.length).toBeGreaterThan(20);
  });
});

describe('a change that breaks a service of another version', () => {
  const base = z.object({ id: z.number(), state: z.enum(['a', 'b']), name: z.string().optional() });
  const made = (input: z.ZodType, output: z.ZodType, data: z.ZodType = base): ContractRecord =>
    recordOf(
      [operation({ name: 'trial.things.do', access: internal(), input: input as never, output }) as Operation],
      [{ name: 'trial.thing.done', data }],
    );
  const was = made(base, base);

  it.each([
    ['a field more that may be left out', made(base.extend({ more: z.string().optional() }), base)],
    ['a field more in an answer', made(base, base.extend({ more: z.string() }))],
    ['more types in an input', made(base.extend({ id: z.union([z.number(), z.string()]) }), base)],
    [
      'a value more',
      made(base.extend({ state: z.enum(['a', 'b', 'c']) }), base.extend({ state: z.enum(['a', 'b', 'c']) })),
    ],
    ['what had to be there and need not', made(base.partial(), base)],
    ['what an answer has always now', made(base, base.required())],
    [
      'an object more that may be left out, whatever it asks for inside',
      made(base.extend({ more: z.object({ inside: z.string() }).optional() }), base),
    ],
  ])('is not %s', (_, grown) => {
    expect(findBreaks(was, grown)).toEqual([]);
  });

  it.each([
    ['a field that is gone', made(base.omit({ name: true }), base), 'trial.things.do input name: it is gone'],
    ['one gone from an answer', made(base, base.omit({ id: true })), 'trial.things.do output id: it is gone'],
    [
      'a new one that is asked for',
      made(base.extend({ more: z.string() }), base),
      'trial.things.do input more: it is new and asked for',
    ],
    ['one that is asked for now', made(base.required(), base), 'trial.things.do input name: it has to be there now'],
    [
      'a type less in an input',
      made(base.extend({ id: z.string() }), base),
      'trial.things.do input id: number is taken no more',
    ],
    [
      'a value less in an input',
      made(base.extend({ state: z.enum(['a']) }), base),
      'trial.things.do input state: ="b" is taken no more',
    ],
    [
      'a type more in an answer',
      made(base, base.extend({ id: z.number().nullable() })),
      'trial.things.do output id: it may be null now',
    ],
    [
      'what an answer may lack now',
      made(base, base.partial({ id: true })),
      'trial.things.do output id: it may be missing now',
    ],
    [
      'what an event asks for',
      made(base, base, base.extend({ more: z.string() })),
      'trial.thing.done event more: it is new and asked for',
    ],
  ])('is %s', (_, broken, line) => {
    expect(findBreaks(was, broken)).toEqual([line]);
  });

  it('is a removed operation, route or event', () => {
    const none: ContractRecord = { operations: {}, events: {}, shapes: {} };
    expect(findBreaks(was, none)).toEqual([
      'trial.things.do: the operation is gone',
      'trial.thing.done: the event is gone',
    ]);
  });
});
