import { Int32 } from 'bson';
import { compareStrings, regExpParts } from '../../bson/compare';
import { documentOf } from '../../bson/document';
import { integral } from '../../bson/number';
import { typeNameOf } from '../../bson/type-code';
import { isNumber, Rank, rankOf, type Value } from '../../bson/value';
import { MongoError } from '../../errors';
import { compileMatches, type Found } from '../../language/regular-expression';
import { isNullish, named, positional, variadic } from '../terms/arguments';
import type { CompileOperator } from '../terms/operator';
import { textOfValue } from './convert';

function textOf(value: Value, name: string, code = 51105): string {
  if (typeof value === 'string') return value;
  throw new MongoError(code, `${name} requires a string argument, found: ${typeNameOf(value)}`);
}

function integerOf(value: Value, name: string): number {
  const whole = isNumber(value) ? integral(value) : undefined;
  if (whole === undefined) throw new MongoError(16034, `${name} requires an integral value, not ${typeNameOf(value)}`);
  return Number(whole);
}

/** Text operators treat null as the empty string. */
const coerced = (value: Value): string => (isNullish(value) ? '' : textOfValue(value));

const concat = variadic((values) => {
  if (values.some(isNullish)) return null;
  return values
    .map((value) => {
      if (typeof value === 'string') return value;
      throw new MongoError(16702, `$concat only supports strings, not ${typeNameOf(value)}`);
    })
    .join('');
});

const substrBytes = (name: string): CompileOperator =>
  positional(3, 3, (value, start, length) => {
    const bytes = Buffer.from(coerced(value), 'utf8');
    const from = integerOf(start, name);
    const count = integerOf(length, name);
    if (from < 0) throw new MongoError(50752, `${name}: starting index must be non-negative (got: ${from})`);
    const end = count < 0 ? bytes.length : Math.min(bytes.length, from + count);
    for (const edge of [from, end]) {
      if (edge < bytes.length && ((bytes[edge] as number) & 0xc0) === 0x80) {
        throw new MongoError(28656, `${name}: Invalid range, starting or ending in the middle of a UTF-8 character.`);
      }
    }
    return from >= bytes.length ? '' : bytes.toString('utf8', from, end);
  });

const substrCP = positional(3, 3, (value, start, length) => {
  const from = integerOf(start, '$substrCP');
  const count = integerOf(length, '$substrCP');
  if (from < 0 || count < 0) throw new MongoError(34454, '$substrCP: the index and the length must be non-negative');
  const text = coerced(value);
  const begin = unitAfter(text, 0, from);
  return text.slice(begin, unitAfter(text, begin, count));
});

/** The index of the UTF-16 unit that follows a number of characters. */
function unitAfter(text: string, begin: number, characters: number): number {
  let unit = begin;
  for (let left = characters; left > 0 && unit < text.length; left--) {
    unit += (text.codePointAt(unit) as number) > 0xffff ? 2 : 1;
  }
  return unit;
}

/** Only ASCII letters change case, as in MongoDB. */
const toCase = (pattern: RegExp, change: (letters: string) => string): CompileOperator =>
  positional(1, 1, (value) => coerced(value).replace(pattern, change));

const split = positional(2, 2, (value, delimiter) => {
  if (isNullish(value) || isNullish(delimiter)) return null;
  const separator = textOf(delimiter, '$split', 40086);
  if (separator === '') throw new MongoError(40087, '$split requires a non-empty separator');
  return textOf(value, '$split', 40085).split(separator);
});

const whitespace = '\0\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a';

const trim = (name: string, atStart: boolean, atEnd: boolean): CompileOperator =>
  named(['input'], ['chars'], ({ input, chars }) => {
    if (isNullish(input) || chars === null) return null;
    const text = Array.from(textOf(input, name, 50699));
    const trimmed = new Set(Array.from(chars === undefined ? whitespace : textOf(chars, name, 50700)));
    let start = 0;
    let end = text.length;
    while (atStart && start < end && trimmed.has(text[start] as string)) start++;
    while (atEnd && end > start && trimmed.has(text[end - 1] as string)) end--;
    return text.slice(start, end).join('');
  });

/** $indexOfBytes and $indexOfCP, over units of text. */
const indexOf = (name: string, units: (text: string) => readonly (string | number)[]): CompileOperator =>
  positional(2, 4, (value, wanted, start, end) => {
    if (isNullish(value)) return null;
    const text = units(textOf(value, name, 40091));
    const part = units(textOf(wanted, name, 40092));
    const from = isNullish(start) ? 0 : integerOf(start, name);
    const to = isNullish(end) ? text.length : Math.min(text.length, integerOf(end, name));
    for (let index = from; index + part.length <= to; index++) {
      if (part.every((unit, offset) => text[index + offset] === unit)) return new Int32(index);
    }
    return new Int32(-1);
  });

const replace = (name: string, isAll: boolean): CompileOperator =>
  named(['input', 'find', 'replacement'], [], ({ input, find, replacement }) => {
    if (isNullish(input) || isNullish(find) || isNullish(replacement)) return null;
    const [text, wanted, by] = [input, find, replacement].map((value) => textOf(value, name, 51746)) as [
      string,
      string,
      string,
    ];
    return isAll ? text.split(wanted).join(by) : text.replace(wanted, () => by);
  });

/** The regular expression operators, by their result. */
const regex = <T extends Value>(
  name: string,
  most: number,
  none: T,
  result: (found: Found[]) => Value,
): CompileOperator =>
  named(['input', 'regex'], ['options'], ({ input, regex: expression, options }) => {
    if (isNullish(input) || isNullish(expression)) return none;
    const { pattern, options: own } = patternOf(expression, name);
    if (!isNullish(options) && own)
      throw new MongoError(51107, `${name}: regex option(s) specified in both 'regex' and 'option' fields`);
    const matches = compileMatches(pattern, isNullish(options) ? own : textOf(options, name, 51106));
    return result(matches(textOf(input, name, 51104), most));
  });

function patternOf(value: Value, name: string): { pattern: string; options: string } {
  return rankOf(value) === Rank.RegExp ? regExpParts(value as RegExp) : { pattern: textOf(value, name), options: '' };
}

const matchDocument = ({ match, index, captures }: Found): Value =>
  documentOf([
    ['match', match],
    ['idx', new Int32(index)],
    ['captures', captures],
  ]);

const bytesOf = (text: string): number[] => [...Buffer.from(text, 'utf8')];

export const textOperators: Record<string, CompileOperator> = {
  $concat: concat,
  $substr: substrBytes('$substrBytes'),
  $substrBytes: substrBytes('$substrBytes'),
  $substrCP: substrCP,
  $toLower: toCase(/[A-Z]+/g, (letters) => letters.toLowerCase()),
  $toUpper: toCase(/[a-z]+/g, (letters) => letters.toUpperCase()),
  $strLenBytes: positional(1, 1, (value) => new Int32(Buffer.byteLength(textOf(value, '$strLenBytes', 34473)))),
  $strLenCP: positional(1, 1, (value) => new Int32(Array.from(textOf(value, '$strLenCP', 34471)).length)),
  $strcasecmp: positional(
    2,
    2,
    (a, b) => new Int32(Math.sign(compareStrings(coerced(a).toUpperCase(), coerced(b).toUpperCase()))),
  ),
  $split: split,
  $trim: trim('$trim', true, true),
  $ltrim: trim('$ltrim', true, false),
  $rtrim: trim('$rtrim', false, true),
  $indexOfBytes: indexOf('$indexOfBytes', bytesOf),
  $indexOfCP: indexOf('$indexOfCP', (text) => Array.from(text)),
  $replaceOne: replace('$replaceOne', false),
  $replaceAll: replace('$replaceAll', true),
  $regexMatch: regex('$regexMatch', 1, false, (found) => found.length > 0),
  $regexFind: regex('$regexFind', 1, null, ([first]) => (first ? matchDocument(first) : null)),
  $regexFindAll: regex('$regexFindAll', Number.POSITIVE_INFINITY, [], (found) => found.map(matchDocument)),
};
