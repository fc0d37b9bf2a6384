import {
  type ArgumentNode,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLError,
  type GraphQLNamedType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  SchemaMetaFieldDef,
  type SelectionSetNode,
  TypeMetaFieldDef,
} from 'graphql';
import { graphqlLimits } from './limits';
import { questions } from './questions';

/** The cost of a document, computed before any call. */
export interface Cost {
  complexity: number;
  questions: number;
  values: number;
}

interface Selection {
  type: GraphQLNamedType | undefined;
  depth: number;
  /** Number of objects that the selection is read of. */
  objects: number;
  /** Cost of a field there. */
  weight: number;
  /** Items of the page that a connection holds. */
  pageSize: number;
  isAboutSchema: boolean;
}

/**
 * Computes the cost of a document with expanded fragments, as if every list were full. Unknown fields count, too: they
 * are refused later.
 * @throws GraphQLError above the limits of depth and fields, and for recursive fragments
 */
export function measure(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Readonly<Record<string, unknown>>,
): Cost {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
  }
  const given = { ...defaultsOf(operation), ...variables };
  const lengths = introspectedLengths(schema);
  const cost: Cost = { complexity: 0, questions: 0, values: 0 };
  const open = new Set<string>();
  let steps = 0;

  const walk = ({ selections }: SelectionSetNode, at: Selection): void => {
    if (at.depth > graphqlLimits.depth) {
      throw new GraphQLError(`Query has a depth of more than ${graphqlLimits.depth}, which is the most`);
    }
    for (const selection of selections) {
      steps += 1;
      if (steps > graphqlLimits.fields) {
        throw new GraphQLError(`Query asks for more than ${graphqlLimits.fields} fields, which is the most`);
      }
      if (selection.kind === Kind.FIELD) field(selection, at);
      else if (selection.kind === Kind.INLINE_FRAGMENT) walk(selection.selectionSet, at);
      else spread(selection.name.value, at);
    }
  };

  const spread = (name: string, at: Selection): void => {
    const fragment = fragments.get(name);
    if (!fragment) return;
    if (open.has(name)) throw new GraphQLError(`Fragment ${name} contains itself`);
    open.add(name);
    walk(fragment.selectionSet, at);
    open.delete(name);
  };

  const field = (node: FieldNode, at: Selection): void => {
    const name = node.name.value;
    const { type, isMeta } = typeOfField(name, at.type);
    const isAboutSchema = at.isAboutSchema || isMeta;
    cost.values += at.objects;
    if (!isAboutSchema && name !== '__typename') cost.complexity += at.weight;
    const question = questions.get(`${at.type?.name}.${name}`);
    if (question) cost.questions += at.objects * question.cost(argumentsOf(node, given));
    if (!node.selectionSet) return;
    const named = type && getNamedType(type);
    const isConnection = named?.name.endsWith('Connection') === true;
    const holdsPage = name === 'nodes' || name === 'edges';
    const items = holdsPage ? at.pageSize : isListed(type) ? (lengths.get(name) ?? graphqlLimits.listed) : 1;
    walk(node.selectionSet, {
      type: named,
      depth: at.depth + 1,
      objects: at.objects * items,
      weight: holdsPage ? at.weight * (1 + at.pageSize / 100) : at.weight,
      pageSize: isConnection ? pageSizeOf(argumentsOf(node, given).first) : 1,
      isAboutSchema,
    });
  };

  const root = schema.getRootType(operation.operation) ?? undefined;
  walk(operation.selectionSet, { type: root, depth: 1, objects: 1, weight: 1, pageSize: 1, isAboutSchema: false });
  return { ...cost, complexity: Math.ceil(cost.complexity) };
}

function typeOfField(name: string, parent: GraphQLNamedType | undefined) {
  for (const { name: meta, type } of [SchemaMetaFieldDef, TypeMetaFieldDef]) {
    if (name === meta) return { type, isMeta: true };
  }
  const type = isObjectType(parent) ? parent.getFields()[name]?.type : undefined;
  return { type, isMeta: false };
}

const isListed = (type: GraphQLOutputType | undefined): boolean => isListType(isNonNullType(type) ? type.ofType : type);

/** The maximum number of items of a page; invalid values are refused later. */
function pageSizeOf(first: unknown): number {
  return typeof first === 'number' && first >= 0 ? Math.min(first, graphqlLimits.page) : graphqlLimits.page;
}

function argumentsOf(node: FieldNode, given: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    (node.arguments ?? []).map((argument) => [argument.name.value, argumentValue(argument, given)]),
  );
}

/** Numbers and lists; other values do not matter for the cost. */
function argumentValue({ value }: ArgumentNode, given: Record<string, unknown>): unknown {
  if (value.kind === Kind.VARIABLE) return given[value.name.value];
  if (value.kind === Kind.INT) return Number(value.value);
  if (value.kind === Kind.LIST) return value.values;
  return value.kind === Kind.NULL ? null : value;
}

function defaultsOf({ variableDefinitions = [] }: OperationDefinitionNode): Record<string, unknown> {
  return Object.fromEntries(
    variableDefinitions.map(({ variable, defaultValue }) => [
      variable.name.value,
      defaultValue?.kind === Kind.INT ? Number(defaultValue.value) : undefined,
    ]),
  );
}

const known = new WeakMap<GraphQLSchema, Map<string, number>>();

/** Average lengths of lists in introspection. */
function introspectedLengths(schema: GraphQLSchema): Map<string, number> {
  const before = known.get(schema);
  if (before) return before;
  const types = Object.values(schema.getTypeMap());
  const objects = types.filter(isObjectType);
  const fields = objects.flatMap((type) => Object.values(type.getFields()));
  const taken = fields.flatMap(({ args }) => args);
  const lengths = new Map([
    ['types', types.length],
    ['fields', Math.ceil(fields.length / objects.length)],
    ['enumValues', 8],
    ['args', Math.ceil(taken.length / fields.length)],
    ['directives', schema.getDirectives().length],
    ['locations', 4],
    ['interfaces', 1],
    ['possibleTypes', 1],
    ['inputFields', 1],
  ]);
  known.set(schema, lengths);
  return lengths;
}
