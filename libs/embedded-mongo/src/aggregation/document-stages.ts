import { copyDocument, fieldNames, hasField, removeField } from '../bson/document';
import { typeNameOf } from '../bson/type-code';
import { type Document, isDocument, type Value } from '../bson/value';
import { MongoError } from '../errors';
import { compileExpression, type ExpressionScope } from '../expression/expression';
import {
  compute,
  type ProjectionNode,
  type ProjectionTree,
  parseProjectionTree,
  projectDocument,
} from '../query/projection-tree';

/** A stage that maps one document to one document. */
export type DocumentStage = (document: Document, scope: ExpressionScope) => Document;

type CompileStage = (operand: Value, variables: Iterable<string>, name: string) => DocumentStage;

const project: CompileStage = (operand, variables) => {
  if (!isDocument(operand)) {
    throw new MongoError(15969, `$project specification must be an object`);
  }
  if (fieldNames(operand).length === 0) {
    throw new MongoError(
      51272,
      'Invalid $project :: caused by :: projection specification must have at least one field',
    );
  }
  const tree = parseProjectionTree(operand, variables);
  return (document, scope) => projectDocument(tree, document, scope, undefined);
};

const addFields: CompileStage = (operand, variables, name) => {
  if (!isDocument(operand)) {
    throw new MongoError(40272, `${name} specification stage must be an object, got ${typeNameOf(operand)}`);
  }
  const root = computedTree(operand, variables, name);
  return (document, scope) => {
    const result = copyDocument(document);
    compute(root, result, document, scope);
    return result;
  };
};

/** Here flags are values: `{$set: {a: 1}}` sets 1. */
function computedTree(spec: Document, variables: Iterable<string>, name: string): ProjectionNode {
  const root: ProjectionNode = { children: new Map() };
  for (const path of fieldNames(spec)) addComputed(root, path, spec[path], variables, name);
  return root;
}

function addComputed(
  root: ProjectionNode,
  path: string,
  operand: Value,
  variables: Iterable<string>,
  name: string,
): void {
  if (isDocument(operand) && isPlain(operand)) {
    for (const inner of fieldNames(operand)) addComputed(root, `${path}.${inner}`, operand[inner], variables, name);
    return;
  }
  let node = root;
  for (const part of path.split('.')) {
    if (part === '' || part.startsWith('$')) {
      throw new MongoError(
        part === '' ? 40352 : 16410,
        `Invalid ${name} :: caused by :: field path '${path}' is not valid`,
      );
    }
    if (node.action) throw new MongoError(40176, `specification contains two conflicting paths at '${path}'`);
    let child = node.children.get(part);
    if (!child) {
      child = { children: new Map() };
      node.children.set(part, child);
    }
    node = child;
  }
  if (node.action || node.children.size > 0) {
    throw new MongoError(40176, `specification contains two conflicting paths at '${path}'`);
  }
  node.action = { compute: compileExpression(operand, variables) };
}

const isPlain = (operand: Document): boolean => {
  const names = fieldNames(operand);
  return names.length > 0 && !names.some((name) => name.startsWith('$'));
};

const unset: CompileStage = (operand) => {
  const paths = Array.isArray(operand) ? operand : [operand];
  if (paths.length === 0 || !paths.every((path) => typeof path === 'string')) {
    throw new MongoError(31002, '$unset specification must be a string or an array with at least one string');
  }
  const spec: Document = Object.fromEntries((paths as string[]).map((path) => [path, false]));
  const tree: ProjectionTree = { ...parseProjectionTree(spec, []), kind: 'exclusion' };
  return (document, scope) => {
    const only = paths.length === 1 && !(paths[0] as string).includes('.');
    if (!only) return projectDocument(tree, document, scope, undefined);
    if (!hasField(document, paths[0] as string)) return document;
    const result = copyDocument(document);
    removeField(result, paths[0] as string);
    return result;
  };
};

const replaceWith: CompileStage = (operand, variables) => {
  const evaluate = compileExpression(operand, variables);
  return (document, scope) => {
    const result = evaluate(document, scope);
    if (isDocument(result)) return result;
    throw new MongoError(
      40228,
      `'newRoot' expression must evaluate to an object, but resulting value was of type: ${typeNameOf(result)}`,
    );
  };
};

const replaceRoot: CompileStage = (operand, variables, name) => {
  if (!isDocument(operand)) {
    throw new MongoError(
      40229,
      `expected an object as specification for $replaceRoot stage, got ${typeNameOf(operand)}`,
    );
  }
  if (!hasField(operand, 'newRoot'))
    throw new MongoError(40414, "BSON field '$replaceRoot.newRoot' is missing but a required field");
  return replaceWith(operand.newRoot, variables, name);
};

export const documentStages: Readonly<Record<string, CompileStage>> = {
  $project: project,
  $addFields: addFields,
  $set: addFields,
  $unset: unset,
  $replaceRoot: replaceRoot,
  $replaceWith: replaceWith,
};
