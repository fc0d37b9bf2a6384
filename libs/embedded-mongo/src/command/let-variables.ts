import { fieldNames } from '../bson/document';
import type { Value } from '../bson/value';
import { compileExpression, rootScope } from '../expression/expression';
import { optionalDocument } from './arguments';

/** Evaluates the `let` of a command: expressions without a document. */
export function letVariables(given: Value): Record<string, Value> | undefined {
  const document = optionalDocument(given, 'let');
  if (!document) return undefined;
  const scope = rootScope();
  return Object.fromEntries(fieldNames(document).map((name) => [name, compileExpression(document[name])({}, scope)]));
}
