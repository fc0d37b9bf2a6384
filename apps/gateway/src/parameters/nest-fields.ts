/*
 * Form and query parameters are flat pairs whose names carry structure. Source: clarifications A.8.
 *   k[]=1&k[]=2, k=1&k=2        an array
 *   k[name]=v                   a hash
 *   files[][a]=1&files[][b]=2   an array of hashes; a repeated first key begins the next one
 *   files[0][a]=1               the same by number
 */

export type Fields = Record<string, unknown>;
type Pairs = Iterable<readonly [string, unknown]>;

const maxDepth = 8;
const maxIndex = 10_000;
// Keys that would reach into the prototype of the objects built here.
const forbidden = new Set(['__proto__', 'constructor', 'prototype']);

/** Splits `files[0][path]` into `['files', '0', 'path']`. */
function splitName(name: string): string[] {
  const bracket = name.indexOf('[');
  if (bracket <= 0 || !name.endsWith(']')) return [name];
  return [name.slice(0, bracket), ...name.slice(bracket + 1, -1).split('][')].slice(0, maxDepth);
}

export function nestFields(pairs: Pairs): Fields {
  const fields: Fields = {};
  for (const [name, value] of pairs) {
    const path = name.includes('[') ? splitName(name) : [name];
    if (path.some((part) => forbidden.has(part))) continue;
    place(fields, path, value);
  }
  return fields;
}

function place(fields: Fields, [key = '', next, ...rest]: string[], value: unknown): void {
  if (next === undefined) {
    const present = fields[key];
    // A bare name given again is an array, as some clients send them.
    fields[key] = present === undefined ? value : Array.isArray(present) ? [...present, value] : [present, value];
  } else if (next === '') {
    const list = asList(fields, key);
    if (rest.length === 0) list.push(value);
    else placeInLast(list, rest, value);
  } else if (/^\d+$/.test(next) && Number(next) < maxIndex && rest.length > 0) {
    const list = asList(fields, key);
    list[Number(next)] ??= {};
    place(list[Number(next)] as Fields, rest, value);
  } else {
    const isHash = typeof fields[key] === 'object' && fields[key] !== null && !Array.isArray(fields[key]);
    if (!isHash) fields[key] = {};
    place(fields[key] as Fields, [next, ...rest], value);
  }
}

function asList(fields: Fields, key: string): unknown[] {
  if (!Array.isArray(fields[key])) fields[key] = fields[key] === undefined ? [] : [fields[key]];
  return fields[key] as unknown[];
}

function placeInLast(list: unknown[], path: string[], value: unknown): void {
  const last = list.at(-1);
  const isOpen = typeof last === 'object' && last !== null && !(path[0]! in last);
  const target = (isOpen ? last : {}) as Fields;
  if (!isOpen) list.push(target);
  place(target, path, value);
}
