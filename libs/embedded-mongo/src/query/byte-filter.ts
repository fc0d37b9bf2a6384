import type { Collation } from '../bson/collation';
import { decodeValue } from '../bson/decode';
import { documentOf } from '../bson/document';
import { BsonType, FieldFinder } from '../bson/field-finder';
import type { Document } from '../bson/value';
import { compileByteTest } from './byte-test';
import { compileTest } from './compile-test';
import type { FilterNode } from './filter-node';

type ByteCondition = (bytes: Uint8Array) => boolean;

/**
 * A filter over the bytes of documents: values are tested in place, and fields without a condition are skipped.
 * @param compile creates the condition on decoded documents, for nodes that need one
 * @returns undefined if any field may decide, as with `$expr`
 */
export function compileByteFilter(
  node: FilterNode,
  compile: (node: FilterNode) => (document: Document) => boolean,
  collation: Collation | undefined,
): ByteCondition | undefined {
  const needed = neededFields(node);
  if (!needed) return undefined;
  const names = [...needed];
  const finder = new FieldFinder(names);
  const condition = byteCondition(node);
  return (bytes) => {
    finder.find(bytes);
    return condition(bytes);
  };

  function byteCondition(part: FilterNode): ByteCondition {
    switch (part.kind) {
      case 'and': {
        const children = part.children.map(byteCondition);
        return (bytes) => children.every((child) => child(bytes));
      }
      case 'or':
      case 'nor': {
        const children = part.children.map(byteCondition);
        const isWanted = part.kind === 'or';
        return (bytes) => children.some((child) => child(bytes)) === isWanted;
      }
      case 'not': {
        const child = byteCondition(part.child);
        return (bytes) => !child(bytes);
      }
      case 'leaf':
        return part.path.includes('.') ? decodedCondition(part, part.path) : leafCondition(part);
      case 'elemMatchObject':
      case 'elemMatchValue':
        return decodedCondition(part, part.path);
      default:
        return () => part.kind === 'always' && part.value;
    }
  }

  function leafCondition(leaf: Extract<FilterNode, { kind: 'leaf' }>): ByteCondition {
    const place = names.indexOf(leaf.path);
    const test = compileByteTest(leaf, compileTest(leaf, collation), collation);
    const isWanted = leaf.operator !== '$exists' || leaf.value;
    return (bytes) => test(bytes, finder.types[place]!, finder.starts[place]!) === isWanted;
  }

  /** Decodes the first field of the path. */
  function decodedCondition(part: FilterNode, path: string): ByteCondition {
    const name = path.split('.', 1)[0]!;
    const place = names.indexOf(name);
    const matches = compile(part);
    return (bytes) => {
      const type = finder.types[place]!;
      const isMissing = type === BsonType.Missing;
      return matches(documentOf(isMissing ? [] : [[name, decodeValue(bytes, finder.starts[place]!, type)]]));
    };
  }
}

/** The top level fields that decide; undefined when any may. */
function neededFields(node: FilterNode): Set<string> | undefined {
  const names = new Set<string>();
  return collectFields(node, names) ? names : undefined;
}

function collectFields(node: FilterNode, names: Set<string>): boolean {
  switch (node.kind) {
    case 'and':
    case 'or':
    case 'nor':
      return node.children.every((child) => collectFields(child, names));
    case 'not':
      return collectFields(node.child, names);
    case 'leaf':
    case 'elemMatchObject':
    case 'elemMatchValue':
      names.add(node.path.split('.', 1)[0] as string);
      return true;
    case 'always':
      return true;
    default:
      return false;
  }
}
