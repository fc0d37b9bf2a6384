import { fieldNames, newDocument, setField } from '../bson/document';
import { type Document, isDocument, type Value } from '../bson/value';
import { MongoError } from '../errors';
import { expressionOperators } from './operators';
import type { CompileContext, Evaluate, ExpressionScope } from './terms/operator';

export type { CompileContext, Evaluate, ExpressionScope } from './terms/operator';

const systemVariables = new Set(['ROOT', 'CURRENT', 'NOW', 'REMOVE']);

/**
 * Compiles an expression.
 * @param variables names of user variables (`let`) that it may use
 * @throws InvalidPipelineOperator (168) for unknown operators, 17276 for unknown variables, and others
 */
export function compileExpression(expression: Value, variables: Iterable<string> = []): Evaluate {
  return compilationContext(variables).compile(expression);
}

/** The context in which expressions that use these variables are compiled. */
export function compilationContext(variables: Iterable<string> = []): CompileContext {
  return contextOf(new Set(variables));
}

/** The scope of a whole command. */
export function rootScope(
  options: { variables?: Record<string, Value> | undefined; now?: Date | undefined } = {},
): ExpressionScope {
  return { ...options.variables, NOW: options.now ?? new Date() };
}

function contextOf(variables: ReadonlySet<string>): CompileContext {
  const context: CompileContext = {
    variables,
    compile: (expression) => compileAny(expression, context),
    declaring: (names) => contextOf(new Set([...variables, ...names])),
  };
  return context;
}

function compileAny(expression: Value, context: CompileContext): Evaluate {
  if (typeof expression === 'string') return compileText(expression, context);
  if (Array.isArray(expression)) return compileArray(expression, context);
  if (!isDocument(expression)) return constant(expression);
  const names = fieldNames(expression);
  const operator = names.find((name) => name.startsWith('$'));
  if (operator === undefined) return compileDocument(expression, names, context);
  if (names.length !== 1) {
    throw new MongoError(15983, 'an object representing an expression must have exactly one field');
  }
  const compileOperator = expressionOperators.get(operator);
  if (!compileOperator) throw new MongoError('InvalidPipelineOperator', `Unrecognized expression '${operator}'`);
  return compileOperator(expression[operator], context, operator);
}

const constant = (value: Value): Evaluate => {
  return () => value;
};

function compileText(text: string, context: CompileContext): Evaluate {
  if (!text.startsWith('$')) return constant(text);
  if (text.startsWith('$$')) return compileVariable(text.slice(2), context);
  const parts = splitPath(text.slice(1));
  const [first] = parts as [string];
  if (parts.length === 1) return (root) => root[first];
  return (root) => readPath(root[first], parts, 1);
}

function splitPath(path: string): string[] {
  if (path === '') throw new MongoError(16872, "'$' by itself is not a valid FieldPath");
  const parts = path.split('.');
  if (parts.at(-1) === '') throw new MongoError(40353, "FieldPath must not end with a '.'.");
  if (parts.includes('')) throw new MongoError(15998, 'FieldPath field names may not be empty strings.');
  const dollar = parts.find((part) => part.startsWith('$'));
  if (dollar) {
    throw new MongoError(16410, `FieldPath field names may not start with '$'. Consider using $getField or $setField.`);
  }
  return parts;
}

function compileVariable(path: string, context: CompileContext): Evaluate {
  const [name, ...parts] = path.split('.') as [string, ...string[]];
  if (name === '') throw new MongoError('FailedToParse', 'empty variable names are not allowed');
  if (context.variables.has(name)) return (_root, scope) => readPath(scope[name], parts, 0);
  if (!systemVariables.has(name)) throw new MongoError(17276, `Use of undefined variable: ${name}`);
  if (name === 'ROOT' || name === 'CURRENT') return (root) => readPath(root, parts, 0);
  if (name === 'REMOVE') return constant(undefined);
  return (_root, scope) => readPath(scope.NOW, parts, 0);
}

/** A field path in expressions: through arrays element by element, without indexes. */
export function readPath(from: Value, parts: string[], start: number): Value {
  let value = from;
  for (let index = start; index < parts.length; index++) {
    if (Array.isArray(value)) return readThrough(value, parts, index);
    if (!isDocument(value)) return undefined;
    value = value[parts[index] as string];
  }
  return value;
}

function readThrough(array: Value[], parts: string[], start: number): Value[] {
  const found: Value[] = [];
  for (const element of array) {
    if (!isDocument(element) && !Array.isArray(element)) continue;
    const value = readPath(element, parts, start);
    if (value !== undefined) found.push(value);
  }
  return found;
}

function compileArray(elements: Value[], context: CompileContext): Evaluate {
  const parts = elements.map(context.compile);
  return (root, scope) => parts.map((part) => part(root, scope) ?? null);
}

function compileDocument(document: Document, names: string[], context: CompileContext): Evaluate {
  const fields = names.map((name) => {
    if (name.includes('.')) {
      throw new MongoError(16405, `FieldPath field names may not contain '.'. Consider using $getField or $setField.`);
    }
    return { name, compute: context.compile(document[name]) };
  });
  return (root, scope) => {
    const result = newDocument();
    for (const { name, compute } of fields) {
      const value = compute(root, scope);
      if (value !== undefined) setField(result, name, value);
    }
    return result;
  };
}
