import { documentOf, fieldNames, newDocument, setField } from '../bson/document';
import { isTruthy } from '../bson/truth';
import { type Document, isDocument, isNumber, type Value } from '../bson/value';
import { MongoError } from '../errors';
import { compileExpression, type Evaluate, type ExpressionScope } from '../expression/expression';

/**
 * The operation of a projection on one field, other than including, excluding or computing it: `$slice`,
 * `$elemMatch`, `a.$`.
 */
export type FieldTransform = (value: Value, position: number | undefined) => Value;

export interface ProjectionNode {
  children: Map<string, ProjectionNode>;
  /** Undefined on inner nodes, which only lead to their children. */
  action?: 'keep' | 'drop' | { compute: Evaluate } | { transform: FieldTransform } | undefined;
}

export interface ProjectionTree {
  root: ProjectionNode;
  kind: 'inclusion' | 'exclusion';
}

/** Parses an operator of find projections; undefined for an expression. */
export type TransformReader = (
  path: string,
  operand: Value,
) => { path: string; transform: FieldTransform; keeps: boolean } | undefined;

/** Which top-level fields remain: those, or all others. */
export interface WholeFields {
  names: ReadonlySet<string>;
  keeps: boolean;
}

interface Reading {
  root: ProjectionNode;
  /** By the first field that decides. `_id: 0` fits both. */
  kind?: 'inclusion' | 'exclusion';
  idDropped: boolean;
  idKept: boolean;
  readTransform: TransformReader;
  variables: Iterable<string>;
}

/**
 * Parses and checks a projection.
 * @throws 31253 and 31254 if inclusion and exclusion are mixed, 31249 if paths collide
 */
export function parseProjectionTree(
  spec: Document,
  variables: Iterable<string>,
  readTransform: TransformReader = () => undefined,
): ProjectionTree {
  const reading: Reading = { root: { children: new Map() }, idDropped: false, idKept: false, readTransform, variables };
  for (const name of fieldNames(spec)) readField(name, spec[name], reading);
  const kind = reading.kind ?? (reading.idKept ? 'inclusion' : 'exclusion');
  if (kind === 'inclusion' && !reading.idDropped && !reading.root.children.has('_id')) {
    reading.root.children.set('_id', { children: new Map(), action: 'keep' });
  }
  if (kind === 'inclusion' && reading.idDropped) reading.root.children.delete('_id');
  return { root: reading.root, kind };
}

function readField(path: string, operand: Value, reading: Reading): void {
  const transform = reading.readTransform(path, operand);
  if (transform) {
    if (transform.keeps) decide('inclusion', path, reading);
    place(reading.root, transform.path, { transform: transform.transform });
    return;
  }
  if (isNumber(operand) || typeof operand === 'boolean') {
    readFlag(path, isTruthy(operand), reading);
  } else if (isDocument(operand) && !fieldNames(operand).some((name) => name.startsWith('$'))) {
    readNested(path, operand, reading);
  } else {
    decideComputed(path, reading);
    place(reading.root, path, { compute: compileExpression(operand, reading.variables) });
  }
}

function readNested(path: string, operand: Document, reading: Reading): void {
  const names = fieldNames(operand);
  if (names.length === 0)
    throw new MongoError(51270, `An empty sub-projection is not a valid value. Found empty object at path: '${path}'`);
  for (const name of names) readField(`${path}.${name}`, operand[name], reading);
}

function readFlag(path: string, isKept: boolean, reading: Reading): void {
  if (path === '_id') {
    reading.idDropped = !isKept;
    reading.idKept = isKept;
  } else {
    decide(isKept ? 'inclusion' : 'exclusion', path, reading);
  }
  place(reading.root, path, isKept ? 'keep' : 'drop');
}

function decide(kind: 'inclusion' | 'exclusion', path: string, reading: Reading): void {
  reading.kind ??= kind;
  if (reading.kind === kind) return;
  if (kind === 'exclusion') throw new MongoError(31254, `Cannot do exclusion on field ${path} in inclusion projection`);
  throw new MongoError(31253, `Cannot do inclusion on field ${path} in exclusion projection`);
}

function decideComputed(path: string, reading: Reading): void {
  reading.kind ??= 'inclusion';
  if (reading.kind === 'inclusion') return;
  throw new MongoError(31252, `Cannot use expression for field ${path} in exclusion projection`);
}

function place(root: ProjectionNode, path: string, action: ProjectionNode['action']): void {
  const parts = checkedParts(path);
  let node = root;
  for (const [index, part] of parts.entries()) {
    if (node.action !== undefined) throw collision(31249, path, parts.slice(index));
    let child = node.children.get(part);
    if (!child) {
      child = { children: new Map() };
      node.children.set(part, child);
    }
    node = child;
  }
  if (node.action !== undefined || node.children.size > 0) throw collision(31250, path, []);
  node.action = action;
}

function collision(code: number, path: string, rest: string[]): MongoError {
  return new MongoError(
    code,
    `Path collision at ${path}${rest.length > 0 ? ` remaining portion ${rest.join('.')}` : ''}`,
  );
}

function checkedParts(path: string): string[] {
  if (path === '') throw new MongoError(40352, 'FieldPath cannot be constructed with empty string');
  const parts = path.split('.');
  if (parts.at(-1) === '') throw new MongoError(40353, "FieldPath must not end with a '.'.");
  if (parts.includes('')) throw new MongoError(15998, 'FieldPath field names may not be empty strings.');
  if (parts.some((part) => part.startsWith('$') && !['$id', '$ref', '$db'].includes(part))) {
    throw new MongoError(16410, `FieldPath field names may not start with '$'. Consider using $getField or $setField.`);
  }
  return parts;
}

/** Projects one document; its fields stay in their order, computed ones follow. */
export function projectDocument(
  { root, kind }: ProjectionTree,
  document: Document,
  scope: ExpressionScope,
  position: number | undefined,
): Document {
  const projected = kind === 'inclusion' ? include(root, document, position) : exclude(root, document, position);
  compute(root, projected, document, scope);
  return projected;
}

function include(node: ProjectionNode, document: Document, position: number | undefined): Document {
  const result = newDocument();
  for (const name of fieldNames(document)) {
    const child = node.children.get(name);
    if (!child) continue;
    const value = includeField(child, document[name], position);
    if (value !== undefined) setField(result, name, value);
  }
  return result;
}

function includeField({ action, children }: ProjectionNode, value: Value, position: number | undefined): Value {
  if (action === 'keep') return value;
  if (typeof action === 'object') return 'transform' in action ? action.transform(value, position) : undefined;
  return action === undefined ? includeWithin({ children }, value, position) : undefined;
}

/** Documents in arrays remain; a scalar has none of the requested fields. */
function includeWithin(node: ProjectionNode, value: Value, position: number | undefined): Value {
  if (isDocument(value)) return include(node, value, position);
  if (!Array.isArray(value)) return undefined;
  return value.map((element) => includeWithin(node, element, position)).filter((element) => element !== undefined);
}

function exclude(node: ProjectionNode, document: Document, position: number | undefined): Document {
  const result = newDocument();
  for (const name of fieldNames(document)) {
    const child = node.children.get(name);
    const value = child ? excludeField(child, document[name], position) : document[name];
    if (value !== undefined) setField(result, name, value);
  }
  return result;
}

function excludeField({ action, children }: ProjectionNode, value: Value, position: number | undefined): Value {
  if (action === 'drop') return undefined;
  if (typeof action === 'object') return 'transform' in action ? action.transform(value, position) : undefined;
  return action === undefined ? excludeWithin({ children }, value, position) : value;
}

function excludeWithin(node: ProjectionNode, value: Value, position: number | undefined): Value {
  if (isDocument(value)) return exclude(node, value, position);
  return Array.isArray(value) ? value.map((element) => excludeWithin(node, element, position)) : value;
}

/** Adds computed fields, which see the whole document as it was. */
export function compute(node: ProjectionNode, target: Document, root: Document, scope: ExpressionScope): void {
  for (const [name, child] of node.children) {
    if (typeof child.action === 'object') {
      if (!('compute' in child.action)) continue;
      const value = child.action.compute(root, scope);
      if (value !== undefined) setField(target, name, value);
    } else if (hasComputed(child)) {
      const value = computeWithin(child, target[name], root, scope);
      setField(target, name, value);
    }
  }
}

function computeWithin(node: ProjectionNode, value: Value, root: Document, scope: ExpressionScope): Value {
  if (Array.isArray(value)) return value.map((element) => computeWithin(node, element, root, scope));
  const target = isDocument(value) ? documentOf(fieldNames(value).map((name) => [name, value[name]])) : newDocument();
  compute(node, target, root, scope);
  return target;
}

function hasComputed(node: ProjectionNode): boolean {
  if (typeof node.action === 'object') return 'compute' in node.action;
  for (const child of node.children.values()) if (hasComputed(child)) return true;
  return false;
}

/** The top-level fields that are included or excluded as a whole, if nothing else is done; else undefined. */
export function wholeFields({ root, kind }: ProjectionTree): WholeFields | undefined {
  const keeps = kind === 'inclusion';
  const whole = [...root.children].filter(([, { action }]) => action === 'keep' || action === 'drop');
  if (whole.length < root.children.size) return undefined;
  const names = whole.filter(([, { action }]) => (action === 'keep') === keeps).map(([name]) => name);
  return { names: new Set(names), keeps };
}

/** The top level fields that decide the result; undefined when any may. */
export function neededFields({ root, kind }: ProjectionTree): ReadonlySet<string> | undefined {
  if (kind === 'exclusion' || hasComputed(root)) return undefined;
  return new Set(root.children.keys());
}
