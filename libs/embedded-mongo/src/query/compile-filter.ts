import type { Collation } from '../bson/collation';
import { decodeDocument } from '../bson/decode';
import { documentOf } from '../bson/document';
import { isTruthy } from '../bson/truth';
import { type Document, isDocument, type Value } from '../bson/value';
import { compileExpression, type ExpressionScope, rootScope } from '../expression/expression';
import { anyAtPath, currentOffset, parsePath, recordOffset, restoreOffset, takeOffset } from '../language/visit-path';
import { compileByteFilter } from './byte-filter';
import { compileTest } from './compile-test';
import type { FilterNode } from './filter-node';
import { compileJsonSchema } from './json-schema';

export interface FilterOptions {
  collation?: Collation | undefined;
  /** Evaluated values of `let`, by name without `$$`. */
  variables?: Record<string, Value> | undefined;
  /** The time of `$$NOW`; the same for the whole command. */
  now?: Date | undefined;
}

/** A filter ready to be tried on documents. */
export interface Matcher {
  readonly node: FilterNode;
  matches(document: Document): boolean;
  /** As `matches`, on BSON bytes; decodes no more of them than it needs. */
  matchesBytes(bytes: Uint8Array): boolean;
  /**
   * The array index of the positional `$` of updates and projections, if the document matches.
   * @returns undefined if the filter names no array, or the document does not match
   */
  matchedPosition(document: Document): number | undefined;
}

type Condition = (value: Value) => boolean;

/**
 * Compiles a filter.
 * @throws the errors of its expressions and schemas
 */
export function compileFilter(node: FilterNode, options: FilterOptions = {}): Matcher {
  const condition = compileNode(node, options);
  let byBytes: ((bytes: Uint8Array) => boolean) | undefined;
  return {
    node,
    matches: condition,
    matchesBytes(bytes) {
      byBytes ??=
        compileByteFilter(node, (part) => compileNode(part, options), options.collation) ??
        ((whole) => condition(decodeDocument(whole)));
      return byBytes(bytes);
    },
    matchedPosition(document) {
      takeOffset();
      return condition(document) ? takeOffset() : undefined;
    },
  };
}

function compileNode(node: FilterNode, options: FilterOptions): Condition {
  switch (node.kind) {
    case 'and':
      return every(node.children.map((child) => compileNode(child, options)));
    case 'or':
      return some(node.children.map((child) => compileNode(child, options)));
    case 'nor':
      return negation(some(node.children.map((child) => compileNode(child, options))));
    case 'not':
      return negation(compileNode(node.child, options));
    case 'leaf':
      return compileLeaf(node, options);
    case 'elemMatchObject':
      return elementMatch(node.path, onDocuments(compileNode(node.child, options)));
    case 'elemMatchValue':
      return elementMatch(node.path, compileNode(node.child, options));
    case 'expr':
      return compileExpr(node.expression, options);
    case 'jsonSchema':
      return compileJsonSchema(node.schema);
    case 'always':
      return () => node.value;
  }
}

function every(conditions: Condition[]): Condition {
  return (value) => {
    for (const condition of conditions) if (!condition(value)) return false;
    return true;
  };
}

function some(conditions: Condition[]): Condition {
  return (value) => {
    for (const condition of conditions) if (condition(value)) return true;
    return false;
  };
}

/** A failed match has no position: it does not change the position of `$`. */
function negation(condition: Condition): Condition {
  return (value) => {
    const saved = currentOffset();
    const result = !condition(value);
    restoreOffset(saved);
    return result;
  };
}

function compileLeaf(node: Extract<FilterNode, { kind: 'leaf' }>, options: FilterOptions): Condition {
  const test = compileTest(node, options.collation);
  const condition = atPath(node.path, test, node.operator !== '$size' && node.operator !== '$exists');
  return node.operator === '$exists' && !node.value ? negation(condition) : condition;
}

function atPath(dotted: string, test: Condition, expandsLeaf: boolean): Condition {
  if (dotted === '') return test;
  const path = parsePath(dotted);
  if (path.parts.length > 1) return (root) => anyAtPath(root, path, test, expandsLeaf);
  const name = dotted;
  return (root) => {
    const value = (root as Document)[name];
    return expandsLeaf && Array.isArray(value) ? anyAtPath(root, path, test, true) : test(value);
  };
}

function elementMatch(path: string, condition: Condition): Condition {
  const test: Condition = (value) => {
    if (!Array.isArray(value)) return false;
    for (let index = 0; index < value.length; index++) {
      if (condition(value[index])) {
        recordOffset(index);
        return true;
      }
    }
    return false;
  };
  return atPath(path, test, false);
}

/** Arrays within arrays count as documents with their indexes as names. */
function onDocuments(condition: Condition): Condition {
  return (element) => {
    if (isDocument(element)) return condition(element);
    if (!Array.isArray(element)) return false;
    return condition(documentOf(element.map((value, index) => [String(index), value])));
  };
}

function compileExpr(expression: Value, options: FilterOptions): Condition {
  const evaluate = compileExpression(expression, Object.keys(options.variables ?? {}));
  const scope: ExpressionScope = rootScope(options);
  return (document) => isTruthy(evaluate(document as Document, scope));
}
