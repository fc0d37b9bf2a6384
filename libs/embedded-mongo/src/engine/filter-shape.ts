import { fieldNames } from '../bson/document';
import { type Document, isDocument, type Value } from '../bson/value';
import { isOperatorDocument } from '../query/parse-operators';

/** Fields and operators of a filter without any values, as `state, updatedAt $lt, $or(a | b $gt)`. */
export function filterShape(filter: Document): string {
  return fieldNames(filter)
    .map((name) => conditionShape(name, filter[name]))
    .join(', ');
}

function conditionShape(name: string, operand: Value): string {
  if (!name.startsWith('$')) return isOperatorDocument(operand) ? `${name} ${fieldNames(operand).join(' ')}` : name;
  if (!Array.isArray(operand)) return name;
  return `${name}(${operand.map((clause) => (isDocument(clause) ? filterShape(clause) : '')).join(' | ')})`;
}
