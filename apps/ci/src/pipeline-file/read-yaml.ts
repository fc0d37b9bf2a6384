import { type CollectionTag, type Document, parseAllDocuments, type ScalarTag, type Tags, YAMLSeq } from 'yaml';
import type { Budget } from './file-limits';
import { PipelineFileError } from './job-spec';

export type YamlMap = Record<string, unknown>;

/** `!reference [job, script]`: the value at that path of the same file. */
class Reference {
  constructor(readonly path: string[]) {}
}

const referenceTag: CollectionTag = {
  tag: '!reference',
  collection: 'seq',
  resolve: (node) => new Reference(node instanceof YAMLSeq ? node.toJSON().map(String) : []),
};

/** YAML 1.1, which authors of pipeline files write, has more words for these than YAML 1.2. */
const booleanTag: ScalarTag = {
  default: true,
  tag: 'tag:yaml.org,2002:bool',
  test: /^(?:[Tt]rue|TRUE|[Yy]es|YES|[Oo]n|ON|[Ff]alse|FALSE|[Nn]o|NO|[Oo]ff|OFF)$/,
  resolve: (text) => /^(?:t|y|on)/i.test(text),
};

const scalars = ['str', 'null', 'int'];
const kinds = new Set([...scalars, 'map', 'seq', 'merge'].map((kind) => `tag:yaml.org,2002:${kind}`));

/** Dates, and numbers to the base of 60, stay texts: `22:22` is a pair of ports. So do `.`, which is a folder, and `.inf`. */
const isKnown = (tag: Tags[number]): boolean =>
  typeof tag === 'object' && kinds.has(tag.tag) && !('format' in tag && tag.format === 'TIME');

const options = {
  schema: 'yaml-1.1',
  merge: true,
  // Duplicate keys are accepted: the last one counts.
  uniqueKeys: false,
  customTags: (known: Tags): Tags => [...known.filter(isKnown), 'float', 'floatExp', booleanTag, referenceTag],
} as const;

/** Limit of the expansion by aliases, before the values are counted one by one. */
const maxAliasCount = 1000;

export const isMap = (value: unknown): value is YamlMap =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Reference);

/** An own property of a map: `constructor` is no job of every file. */
export const ownValue = (map: YamlMap, key: string): unknown => (Object.hasOwn(map, key) ? map[key] : undefined);

/**
 * The map of a pipeline file with unresolved references, and the document before it, which declares its inputs.
 * @throws PipelineFileError
 */
export function parseYaml(content: string): { body: YamlMap; header?: YamlMap } {
  const documents = parse(content);
  const [first, second, third] = documents;
  if (!isMap(first) || third !== undefined) throw new PipelineFileError('Invalid configuration format');
  if (documents.length === 1) return { body: first };
  if (!Object.hasOwn(first, 'spec') || !isMap(second)) throw new PipelineFileError('Invalid configuration format');
  return { body: second, header: first };
}

/** The same with its references resolved. @throws PipelineFileError */
export const resolveReferences = (root: YamlMap, budget: Budget): YamlMap =>
  new Resolver(root, budget).resolve(root, 0) as YamlMap;

function parse(content: string): unknown[] {
  try {
    const documents: Document[] = [...parseAllDocuments(content, options)];
    const [error] = documents.flatMap(({ errors }) => errors);
    if (error) throw new PipelineFileError(error.message.replace(/:?(\n.*)?$/s, ''));
    return documents.map((document) => document.toJS({ maxAliasCount }));
  } catch (cause) {
    // The parser is recursive.
    if (cause instanceof RangeError) throw new PipelineFileError('The parsed YAML is too deep');
    throw new PipelineFileError(cause instanceof Error ? cause.message : String(cause));
  }
}

/** In a list, the key is a place from 0. */
function valueAt(value: unknown, key: string): unknown {
  if (Array.isArray(value)) return /^\d{1,9}$/.test(key) ? value[Number(key)] : undefined;
  return isMap(value) ? ownValue(value, key) : undefined;
}

class Resolver {
  constructor(
    private readonly root: YamlMap,
    private readonly budget: Budget,
  ) {}

  resolve(value: unknown, depth: number): unknown {
    this.budget.spend(1);
    this.budget.requireDepth(depth);
    if (value instanceof Reference) return this.resolve(this.follow(value), depth + 1);
    if (Array.isArray(value)) return value.map((item) => this.resolve(item, depth + 1));
    if (!isMap(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, this.resolve(item, depth + 1)]));
  }

  private follow({ path }: Reference): unknown {
    let value: unknown = this.root;
    for (const key of path) value = valueAt(value, key);
    if (value === undefined || path.length === 0) {
      throw new PipelineFileError(`!reference ${JSON.stringify(path)} could not be found`);
    }
    return value;
  }
}
