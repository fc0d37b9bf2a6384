import { regExpParts } from '../bson/compare';
import { fieldNames } from '../bson/document';
import { type Document, isDocument, Rank, rankOf, type Value } from '../bson/value';
import { MongoError } from '../errors';
import type { FilterNode } from './filter-node';
import { isOperatorDocument, isReferenceField, parseOperators } from './parse-operators';

const bad = (message: string): MongoError => new MongoError('BadValue', message);

/**
 * Parses and checks a filter.
 * @throws BadValue and others with MongoDB's texts; CommandNotSupported for $where, $text and geometry
 */
export function parseFilter(filter: Document): FilterNode {
  return parseClause(filter, false);
}

/** @param isOfElement whether it is about elements of an array, which may be references with `$ref`, `$id` and `$db` */
function parseClause(filter: Document, isOfElement: boolean): FilterNode {
  const children: FilterNode[] = [];
  for (const name of fieldNames(filter)) {
    const isField = !name.startsWith('$') || (isOfElement && isReferenceField(name));
    const child = isField ? parseField(name, filter[name]) : parseTopLevel(name, filter[name], isOfElement);
    if (child) children.push(child);
  }
  return conjunction(children);
}

const parseElement = (filter: Document): FilterNode => parseClause(filter, true);

/** One node for all children; flat, since the planner reads the outermost conjunction. */
export function conjunction(children: FilterNode[]): FilterNode {
  if (children.length === 0) return { kind: 'always', value: true };
  return children.length === 1 ? (children[0] as FilterNode) : { kind: 'and', children };
}

function parseTopLevel(name: string, operand: Value, isOfElement: boolean): FilterNode | undefined {
  switch (name) {
    case '$and': {
      const children = parseClauses(name, operand, isOfElement);
      return conjunction(children.flatMap((child) => (child.kind === 'and' ? child.children : [child])));
    }
    case '$or':
    case '$nor':
      return { kind: name === '$or' ? 'or' : 'nor', children: parseClauses(name, operand, isOfElement) };
    case '$expr':
      return { kind: 'expr', expression: operand };
    case '$jsonSchema':
      if (!isDocument(operand)) throw new MongoError('TypeMismatch', '$jsonSchema must be an object');
      return { kind: 'jsonSchema', schema: operand };
    case '$comment':
      return undefined;
    case '$alwaysTrue':
    case '$alwaysFalse':
      return { kind: 'always', value: name === '$alwaysTrue' };
    case '$where':
    case '$text':
    case '$sampleRate':
      throw new MongoError('CommandNotSupported', `${name} is not supported`);
    default:
      throw bad(
        `unknown top level operator: ${name}. If you have a field name that starts with a '$' symbol, consider using $getField or $setField.`,
      );
  }
}

function parseClauses(name: string, operand: Value, isOfElement: boolean): FilterNode[] {
  if (!Array.isArray(operand)) throw bad(`${name} must be an array`);
  if (operand.length === 0) throw bad('$and/$or/$nor must be a nonempty array');
  return operand.map((clause) => {
    if (!isDocument(clause)) throw bad('$or/$and/$nor entries need to be full objects');
    return parseClause(clause, isOfElement);
  });
}

function parseField(path: string, operand: Value): FilterNode {
  if (isOperatorDocument(operand)) return conjunction(parseOperators(path, operand, parseElement));
  if (rankOf(operand) === Rank.RegExp) {
    return { kind: 'leaf', path, operator: '$regex', value: regExpParts(operand as RegExp) };
  }
  return { kind: 'leaf', path, operator: '$eq', value: operand ?? null };
}
