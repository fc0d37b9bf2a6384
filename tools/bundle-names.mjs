/**
 * esbuild's `keepNames` wraps every function in a call of `__name`, also functions that keep their name. The call runs
 * each time the function is created. Without these calls, the server answers a tenth more requests.
 */
import { parse } from 'acorn';

const beforeAnExpression = new Set(['=', ':', '(', ',', '[', '?', 'return']);
/** After a function, these would call it or read from it. */
const continuing = new Set(['(', '.', '?.', '[', '`']);

/**
 * Removes the calls of `__name` around functions that have the same name without it. Blanks replace the calls, so the
 * source maps stay correct.
 */
export function removeNeedlessNames(text) {
  const removed = [];
  let latest = [];
  const open = [];
  let opened;
  let closed;
  parse(text, {
    ecmaVersion: 'latest',
    allowHashBang: true,
    onToken(token) {
      if (closed && !continuing.has(token.type.label)) removed.push(...partsOf(closed, text));
      closed = undefined;
      if (opened && opened.first.length < 4) opened.first.push(token);
      const [beforeLast, last] = latest.slice(-2);
      if (token.type.label === '(') {
        const isName = last?.type.label === 'name' && last.value === '__name';
        if (isName) opened = { call: last, before: latest.slice(0, -1), first: [] };
        open.push(isName ? opened : undefined);
      } else if (token.type.label === ')') {
        const call = open.pop();
        if (call && beforeLast?.type.label === ',' && last.type.label === 'string')
          closed = { ...call, comma: beforeLast, name: last.value, end: token };
      }
      latest = [...latest.slice(-3), token];
    },
  });
  return blank(text, removed);
}

/** The parts of a call that may go. */
function partsOf({ call, before, first, comma, name, end }, text) {
  const [argument, next] = first;
  // `__name(f, "f")` after the declaration of `f`.
  if (argument.type.label === 'name' && argument.value === name && next === comma)
    return [call, { start: comma.start, end: end.start }];
  const parts = [
    { start: call.start, end: argument.start },
    { start: comma.start, end: end.end },
  ];
  const [beforePlace, place, sign] = before.slice(-3);
  if (!beforeAnExpression.has(sign?.type.label)) return [];
  // A line break after `return` would end the statement.
  if (sign.type.label === 'return' && text.slice(sign.end, argument.start).includes('\n')) return [];
  const ownName = nameOf(first);
  if (ownName !== undefined) return ownName === name ? parts : [];
  const isNamedByPlace = (sign.type.label === '=' || sign.type.label === ':') && place?.value === name;
  return isNamedByPlace && beforePlace?.type.label !== '.' && name !== '__proto__' && isFunction(first) ? parts : [];
}

const wordOf = ({ type, value }) => (type.label === 'name' ? value : type.label);

/** @returns the name in a function expression */
function nameOf(first) {
  const words = wordsAfterAsync(first);
  if (words[0] !== 'function') return undefined;
  const [name] = first.slice(first.length - words.length + 1).filter(({ type }) => type.label !== '*');
  return name?.type.label === 'name' ? name.value : undefined;
}

function isFunction(first) {
  const [word, next] = wordsAfterAsync(first);
  return word === 'function' || word === '(' || next === '=>';
}

function wordsAfterAsync(first) {
  const words = first.map(wordOf);
  return words[0] === 'async' && words[1] !== '=>' ? words.slice(1) : words;
}

function blank(text, parts) {
  let result = '';
  let at = 0;
  for (const { start, end } of parts.toSorted((a, b) => a.start - b.start)) {
    result += text.slice(at, start) + text.slice(start, end).replaceAll(/[^\n]/g, ' ');
    at = end;
  }
  return result + text.slice(at);
}
