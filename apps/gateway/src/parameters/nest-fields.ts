import { commonErrors } from '@moothall/contracts';

/*
 * Form and query parameters are flat pairs; their names encode the structure. See docs/api/requests.md#6.
 *   k[]=1&k[]=2, k=1&k=2        an array
 *   k[name]=v                   a hash; with numbers an array, if the contract has one
 *   files[][a]=1&files[][b]=2   an array of hashes; a repeated name starts the next element, as in Rack
 */

export type Fields = Record<string, unknown>;
type Pairs = Iterable<readonly [string, unknown]>;

const maxDepth = 32;
// Keys that would access the prototype of the objects built here.
const forbidden = new Set(['__proto__', 'constructor', 'prototype']);

/** @throws common.bad_request for names that nest deeper than clients write them */
export function nestFields(pairs: Pairs): Fields {
  const fields: Fields = {};
  for (const [name, value] of pairs) {
    const path = name.includes('[') ? splitName(name) : [name];
    if (path.length > maxDepth) throw commonErrors.badRequest();
    if (!path.some((part) => forbidden.has(part))) place(fields, path, value);
  }
  return fields;
}

/** Splits `files[][path]` into `['files', '', 'path']`. */
function splitName(name: string): string[] {
  const bracket = name.indexOf('[');
  if (bracket <= 0 || !name.endsWith(']')) return [name];
  return [name.slice(0, bracket), ...name.slice(bracket + 1, -1).split('][', maxDepth)];
}

function place(fields: Fields, [key = '', next, ...rest]: string[], value: unknown): void {
  if (next === undefined) {
    // A repeated name is an array, as some clients send it.
    if (Object.hasOwn(fields, key)) asList(fields, key).push(value);
    else fields[key] = value;
  } else if (next === '') {
    const list = asList(fields, key);
    if (rest.length === 0) list.push(value);
    else place(openElement(list, rest), rest, value);
  } else {
    if (!isHash(fields[key])) fields[key] = newHash();
    place(fields[key] as Fields, [next, ...rest], value);
  }
}

function asList(fields: Fields, key: string): unknown[] {
  if (!Array.isArray(fields[key])) fields[key] = fields[key] === undefined ? [] : [fields[key]];
  return fields[key] as unknown[];
}

/** The last element of an array of hashes, or a new one if that already has a value for this name. */
function openElement(list: unknown[], path: string[]): Fields {
  const last = list.at(-1);
  if (isHash(last) && !holds(last, path)) return last;
  const next = newHash();
  list.push(next);
  return next;
}

/** A nested array takes any number of values, so a repeated name starts no new element. */
function holds(hash: Fields, path: string[]): boolean {
  if (path.includes('')) return false;
  let inner: unknown = hash;
  for (const part of path) {
    if (!isHash(inner) || !Object.hasOwn(inner, part)) return false;
    inner = inner[part];
  }
  return true;
}

/** Objects built here. A file of a multipart body is an object too, and names must not reach into it. */
const hashes = new WeakSet<object>();

function newHash(): Fields {
  const hash: Fields = {};
  hashes.add(hash);
  return hash;
}

const isHash = (value: unknown): value is Fields => hashes.has(value as object);
