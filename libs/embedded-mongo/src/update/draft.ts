import { copyDocument, hasField, newDocument, removeField, setField } from '../bson/document';
import { typeNameOf } from '../bson/type-code';
import { type Document, isDocument, type Value } from '../bson/value';
import { MongoError } from '../errors';

/** Returned by a modifier that does not change its field. */
export const unchanged = Symbol('unchanged');

/** Computes a field's new value; undefined removes the field, and is a missing one in `current`. */
export type Change = (current: Value) => Value | typeof unchanged;

const largestBackfill = 1_500_000;

/**
 * A document that is being changed. Only the containers on changed paths are copied: the original stays unchanged,
 * since its index entries must still be removed.
 */
export class Draft {
  private readonly owned = new Set<object>();
  private changed = false;
  root: Document;

  constructor(document: Document) {
    this.root = document;
  }

  get isChanged(): boolean {
    return this.changed;
  }

  /**
   * Changes the field at a path without positional parts.
   * @param creates whether missing fields on the path are created; otherwise such a path changes nothing
   * @throws PathNotViable (28) if a value on the path can have no fields
   */
  change(parts: readonly string[], creates: boolean, change: Change): void {
    const found = this.lookUp(parts, creates);
    if (!found) return;
    const value = change(found.value);
    if (value === unchanged || (value === undefined && found.value === undefined)) return;
    this.changed = true;
    this.write(parts, value);
  }

  /** The value at a path without positional parts, not looking through arrays by name. */
  read(parts: readonly string[]): Value {
    return this.lookUp(parts, false)?.value;
  }

  private lookUp(parts: readonly string[], creates: boolean): { value: Value } | undefined {
    let value: Value = this.root;
    for (let index = 0; index < parts.length; index++) {
      const part = parts[index] as string;
      if (value === undefined) return creates ? { value } : undefined;
      if (isDocument(value)) value = value[part];
      else if (Array.isArray(value) && isIndex(part)) value = value[Number(part)];
      else if (creates) throw notViable(parts, index, value);
      else return undefined;
    }
    return { value };
  }

  private write(parts: readonly string[], value: Value): void {
    this.root = this.own(this.root) as Document;
    let container: Document | Value[] = this.root;
    for (let index = 0; index < parts.length - 1; index++) {
      const part = parts[index] as string;
      const inner: Value = Array.isArray(container) ? container[Number(part)] : container[part];
      const next: Document | Value[] = inner === undefined ? newDocument() : this.own(inner as Document | Value[]);
      if (inner === undefined) this.owned.add(next);
      if (next !== inner) put(container, part, next);
      container = next;
    }
    put(container, parts.at(-1) as string, value);
  }

  private own(container: Document | Value[]): Document | Value[] {
    if (this.owned.has(container)) return container;
    const copy = Array.isArray(container) ? container.slice() : copyDocument(container);
    this.owned.add(copy);
    return copy;
  }
}

function put(container: Document | Value[], part: string, value: Value): void {
  if (!Array.isArray(container)) {
    if (value === undefined) removeField(container, part);
    else setField(container, part, value);
    return;
  }
  const index = Number(part);
  if (index - container.length > largestBackfill) {
    throw new MongoError('BadValue', `can't backfill more than ${largestBackfill} elements`);
  }
  while (container.length < index) container.push(null);
  // An element cannot be missing: unset leaves null, so that the others keep their positions.
  container[index] = value ?? null;
}

const isIndex = (part: string): boolean => /^(0|[1-9]\d{0,9})$/.test(part);

function notViable(parts: readonly string[], index: number, value: Value): MongoError {
  const holder = parts[index - 1] ?? '';
  return new MongoError(
    'PathNotViable',
    `Cannot create field '${parts[index]}' in element {${holder}: ${display(value)}}`,
  );
}

/** A short text of a value for messages. */
export function display(value: Value): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (isDocument(value) && !hasField(value, 'toString')) return '{ ... }';
  if (Array.isArray(value)) return '[ ... ]';
  return value === undefined ? typeNameOf(value) : String(value);
}
