import { ObjectId } from 'bson';
import type { Collation } from '../bson/collation';
import { compareValues } from '../bson/compare';
import { documentOf, fieldNames, hasField } from '../bson/document';
import { identicalValues } from '../bson/identical';
import { type Document, isDocument, type Value } from '../bson/value';
import { MongoError } from '../errors';
import type { FilterNode } from '../query/filter-node';
import { type ArrayFilters, parseArrayFilters } from './array-filters';
import { arrayModifiers } from './array-modifiers';
import { checkId } from './check-id';
import { Draft, display } from './draft';
import { expandPath } from './expand-path';
import { fieldModifiers } from './field-modifiers';
import type { CompileModifier, Modifier, UpdateContext } from './modifier';
import { compilePipelineUpdate } from './pipeline-update';
import { comparePaths, identifierOf, parseUpdatePath, refuseConflicts, refuseDollars } from './update-path';
import { upsertDocument } from './upsert-document';

export interface UpdateOptions {
  collation?: Collation | undefined;
  arrayFilters?: readonly Value[] | undefined;
  /** Evaluated values of `let`, for pipelines. */
  variables?: Record<string, Value> | undefined;
  /** The time of `$currentDate` and `$$NOW`. */
  now?: Date | undefined;
}

export interface UpdateResult {
  /** The changed document; the given one if nothing changed, which is never modified. */
  document: Document;
  isModified: boolean;
}

/** An update, checked and ready to be applied to documents. */
export interface CompiledUpdate {
  kind: 'modifiers' | 'replacement' | 'pipeline';
  /** Whether it has the positional `$`, so that `apply` needs the position its filter matched. */
  needsPosition: boolean;
  /**
   * @param position the array index of `$` (`Matcher.matchedPosition`)
   * @throws with MongoDB's codes if the document does not allow the change; ImmutableField (66) for `_id`
   */
  apply(document: Document, position?: number): UpdateResult;
  /** The document to insert without a match: `_id` first, generated if neither filter nor update has one. */
  insert(filter: FilterNode): Document;
}

/**
 * Reads an update: modifiers (`{$set: …}`), a replacement, or a pipeline.
 * @throws FailedToParse (9) for unknown modifiers, ConflictingUpdateOperators (40), and others
 */
export function compileUpdate(update: Document | readonly Value[], options: UpdateOptions = {}): CompiledUpdate {
  if (Array.isArray(update)) return compilePipeline(update, options);
  const document = update as Document;
  const [first] = fieldNames(document);
  if (first?.startsWith('$')) return compileModifiers(document, options);
  if (options.arrayFilters?.length) {
    throw new MongoError('FailedToParse', 'arrayFilters may not be specified for replacement-style updates');
  }
  return compileReplacement(document);
}

function compilePipeline(stages: readonly Value[], options: UpdateOptions): CompiledUpdate {
  if (options.arrayFilters?.length) {
    throw new MongoError('FailedToParse', 'arrayFilters may not be specified for pipeline-style updates');
  }
  const transform = compilePipelineUpdate(stages, options);
  const apply = (document: Document): UpdateResult => replaced(document, transform(document));
  return {
    kind: 'pipeline',
    needsPosition: false,
    apply,
    insert: (filter) => withId(transform(upsertDocument(filter))),
  };
}

function compileReplacement(replacement: Document): CompiledUpdate {
  checkId(replacement._id);
  return {
    kind: 'replacement',
    needsPosition: false,
    apply(document) {
      refuseDollars(fieldNames(replacement));
      return replaced(document, replacement);
    },
    insert(filter) {
      const { _id: fromFilter } = upsertDocument(onlyId(filter));
      if (hasField(replacement, '_id')) {
        if (fromFilter !== undefined) refuseOtherId(fromFilter, replacement._id);
        return withId(replacement);
      }
      return withId(fromFilter === undefined ? replacement : idFirst(replacement, fromFilter));
    },
  };
}

/** A replacement uses nothing but `_id` of the filter. */
function onlyId(filter: FilterNode): FilterNode {
  const isId = (node: FilterNode): boolean => node.kind === 'leaf' && node.path === '_id';
  if (filter.kind === 'and') return { kind: 'and', children: filter.children.filter(isId) };
  return isId(filter) ? filter : { kind: 'always', value: true };
}

function replaced(before: Document, after: Document): UpdateResult {
  let document = after;
  if (hasField(before, '_id')) {
    if (hasField(after, '_id')) refuseOtherId(before._id, after._id);
    document = idFirst(after, before._id);
  }
  return identicalValues(before, document) ? { document: before, isModified: false } : { document, isModified: true };
}

function refuseOtherId(before: Value, after: Value): void {
  if (compareValues(before, after) === 0) return;
  throw new MongoError(
    'ImmutableField',
    `After applying the update, the (immutable) field '_id' was found to have been altered to _id: ${display(after)}`,
  );
}

function idFirst(document: Document, id: Value): Document {
  const others = fieldNames(document).filter((name) => name !== '_id');
  return documentOf([['_id', id], ...others.map((name) => [name, document[name]] as const)]);
}

function withId(document: Document): Document {
  if (!hasField(document, '_id')) return idFirst(document, new ObjectId());
  checkId(document._id);
  return fieldNames(document)[0] === '_id' ? document : idFirst(document, document._id);
}

function compileModifiers(update: Document, options: UpdateOptions): CompiledUpdate {
  const context: UpdateContext = { collation: options.collation, now: options.now ?? new Date() };
  const arrayFilters = parseArrayFilters(options.arrayFilters ?? [], options);
  const modifiers = fieldNames(update)
    .flatMap((operator) => parseModifiers(operator, update[operator], context))
    .sort((a, b) => comparePaths(a.path.parts, b.path.parts));
  refuseConflicts(touched(modifiers, (modifier) => [modifier.path.parts]));
  checkIdentifiers(modifiers, arrayFilters);
  const apply = (document: Document, position: number | undefined, isInsert: boolean): UpdateResult => {
    if (!isInsert) refuseDollars(modifiers.map(({ path }) => path.parts[0]!));
    const draft = new Draft(document);
    applyModifiers(draft, modifiers, arrayFilters, position, isInsert);
    if (hasField(document, '_id')) refuseIdChange(document, draft.root);
    return { document: draft.root, isModified: draft.isChanged };
  };
  return {
    kind: 'modifiers',
    needsPosition: modifiers.some(({ path }) => path.parts.includes('$')),
    apply: (document, position) => apply(document, position, false),
    insert: (filter) => withId(apply(upsertDocument(filter), undefined, true).document),
  };
}

function parseModifiers(operator: string, operands: Value, context: UpdateContext): Modifier[] {
  const compile = modifierNamed(operator);
  if (!isDocument(operands)) {
    throw new MongoError(
      'FailedToParse',
      `Modifiers operate on fields but we found type ${typeof operands} instead. For example: {$mod: {<field>: ...}} not {${operator}: ${display(operands)}}`,
    );
  }
  return fieldNames(operands).map((dotted) => {
    const operand = operands[dotted];
    const source = parseUpdatePath(dotted);
    const compiled = compile(source, operand, context);
    const path = compiled.source ? parseUpdatePath(operand as string) : source;
    return { operator, path, ...compiled };
  });
}

function modifierNamed(operator: string): CompileModifier {
  const table = Object.hasOwn(fieldModifiers, operator) ? fieldModifiers : arrayModifiers;
  const compile = Object.hasOwn(table, operator) ? table[operator] : undefined;
  if (compile) return compile;
  throw new MongoError(
    'FailedToParse',
    `Unknown modifier: ${operator}. Expected a valid update modifier or pipeline-style update specified as an array`,
  );
}

/** All written paths, including those that $rename empties. */
function touched(modifiers: Modifier[], expand: (modifier: Modifier) => string[][]): string[][] {
  return modifiers
    .flatMap((modifier) => [...expand(modifier), ...(modifier.source ? [modifier.source.parts] : [])])
    .sort(comparePaths);
}

function checkIdentifiers(modifiers: Modifier[], arrayFilters: ArrayFilters): void {
  const used = new Set<string>();
  for (const { path } of modifiers) {
    for (const part of path.parts) {
      const identifier = identifierOf(part);
      if (!identifier) continue;
      used.add(identifier);
      if (!arrayFilters.has(identifier)) {
        throw new MongoError(
          'BadValue',
          `No array filter found for identifier '${identifier}' in path '${path.dotted}'`,
        );
      }
    }
  }
  const unused = [...arrayFilters.keys()].find((identifier) => !used.has(identifier));
  if (unused !== undefined) {
    throw new MongoError('FailedToParse', `The array filter for identifier '${unused}' was not used in the update`);
  }
}

function applyModifiers(
  draft: Draft,
  modifiers: Modifier[],
  arrayFilters: ArrayFilters,
  position: number | undefined,
  isInsert: boolean,
): void {
  const active = modifiers.filter(({ onlyOnInsert }) => isInsert || !onlyOnInsert);
  // All paths are resolved before the first change, so that no modifier sees the result of another.
  const steps = active.map((modifier) => ({
    modifier,
    paths: expandPath(modifier.path, draft, position, arrayFilters),
  }));
  if (active.some(({ path }) => path.isDynamic)) {
    const pathsOf = new Map(steps.map(({ modifier, paths }) => [modifier, paths]));
    refuseConflicts(touched(active, (modifier) => pathsOf.get(modifier) ?? []));
  }
  const { _id: id } = draft.root;
  for (const { modifier, paths } of steps) {
    if (modifier.source) applyRename(draft, modifier.source.parts, modifier.path.parts);
    else for (const parts of paths) draft.change(parts, modifier.creates, modifier.change(id));
  }
}

function applyRename(draft: Draft, source: string[], target: string[]): void {
  const value = draft.read(source);
  if (value === undefined) return;
  refuseElements(draft, source, 'source');
  refuseElements(draft, target, 'destination');
  draft.change(source, false, () => undefined);
  draft.change(target, true, () => value);
}

function refuseElements(draft: Draft, parts: string[], role: string): void {
  for (let length = 1; length < parts.length; length++) {
    if (!Array.isArray(draft.read(parts.slice(0, length)))) continue;
    const path = parts.join('.');
    throw new MongoError(
      'BadValue',
      `The ${role} field cannot be an array element, '${path}' in doc with _id: ${display(draft.root._id)} has an array field called '${parts[length - 1]}'`,
    );
  }
}

function refuseIdChange(before: Document, after: Document): void {
  if (hasField(after, '_id') && compareValues(before._id, after._id) === 0) return;
  throw new MongoError(
    'ImmutableField',
    "Performing an update on the path '_id' would modify the immutable field '_id'",
  );
}
