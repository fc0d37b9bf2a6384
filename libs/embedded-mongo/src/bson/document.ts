import type { Document, Value } from './value';

/**
 * The class of decoded documents: fast objects without a prototype chain, so that `constructor` and `__proto__` are
 * ordinary fields.
 */
const Fields = function Fields() {} as unknown as new () => Document;
Fields.prototype = Object.create(null);

/** The names in their order, only in documents where JavaScript would change it. */
const order = Symbol('order of fields');

type OrderedDocument = Document & { [order]?: string[] };

export function newDocument(): Document {
  return new Fields();
}

/** The document's field names in their order. */
export function fieldNames(document: Document): string[] {
  return (document as OrderedDocument)[order] ?? Object.keys(document);
}

export function hasField(document: Document, name: string): boolean {
  return Object.hasOwn(document, name);
}

/** Sets a field: in its place if it exists, else at the end. */
export function setField(document: Document, name: string, value: Value): void {
  const names = (document as OrderedDocument)[order];
  if (names) {
    if (!Object.hasOwn(document, name)) names.push(name);
  } else if (startsWithDigit(name) && isIndexLike(name) && !Object.hasOwn(document, name)) {
    keepOrder(document, [...Object.keys(document), name]);
  }
  document[name] = value;
}

export function removeField(document: Document, name: string): void {
  const names = (document as OrderedDocument)[order];
  if (names)
    keepOrder(
      document,
      names.filter((other) => other !== name),
    );
  delete document[name];
}

/** A document with the same fields, whose values are shared. */
export function copyDocument(document: Document): Document {
  const copy = newDocument();
  for (const name of fieldNames(document)) setField(copy, name, document[name]);
  return copy;
}

/** A document of the given fields in the given order. */
export function documentOf(entries: Iterable<readonly [string, Value]>): Document {
  const document = newDocument();
  for (const [name, value] of entries) setField(document, name, value);
  return document;
}

// JavaScript moves integer-like keys to the front: {b: 1, "1": 2} would become {"1": 2, b: 1}.
function keepOrder(document: Document, names: string[]): void {
  Object.defineProperty(document, order, { value: names, configurable: true, writable: true, enumerable: false });
}

function startsWithDigit(name: string): boolean {
  const first = name.charCodeAt(0);
  return first >= 48 && first <= 57;
}

function isIndexLike(name: string): boolean {
  return String(Number(name) >>> 0) === name;
}
