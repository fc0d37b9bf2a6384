import { newDocument, setField } from '../bson/document';
import { type Document, isDocument, Rank, rankOf, type Value } from '../bson/value';
import { MongoError } from '../errors';
import type { FilterNode } from '../query/filter-node';

/**
 * The initial document of an upsert: the fields with an equality in its filter.
 * @throws NotSingleValueField (54) if the filter names a path twice, or a path and one within it
 */
export function upsertDocument(filter: FilterNode): Document {
  const document = newDocument();
  const taken: string[] = [];
  for (const { path, value } of equalities(filter)) {
    const twice = taken.find((other) => other === path || other.startsWith(`${path}.`) || path.startsWith(`${other}.`));
    if (twice !== undefined) {
      throw new MongoError('NotSingleValueField', `cannot infer query fields to set, path '${path}' is matched twice`);
    }
    taken.push(path);
    place(document, path, value);
  }
  return document;
}

/** The equalities that hold in every match of the filter. */
function equalities(node: FilterNode): { path: string; value: Value }[] {
  switch (node.kind) {
    case 'and':
      return node.children.flatMap(equalities);
    case 'or':
      return node.children.length === 1 ? node.children.flatMap(equalities) : [];
    case 'leaf':
      if (node.operator === '$eq') return [{ path: node.path, value: node.value }];
      if (node.operator === '$in' && node.value.length === 1 && rankOf(node.value[0]) !== Rank.RegExp) {
        return [{ path: node.path, value: node.value[0] }];
      }
      return [];
    default:
      return [];
  }
}

function place(document: Document, path: string, value: Value): void {
  const parts = path.split('.');
  let container = document;
  for (const part of parts.slice(0, -1)) {
    const inner = container[part];
    const next = isDocument(inner) ? inner : newDocument();
    if (next !== inner) setField(container, part, next);
    container = next;
  }
  setField(container, parts.at(-1) as string, value);
}
