import { type CollectionTag, parseDocument, YAMLSeq } from 'yaml';
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

/** How often aliases may multiply content, before the values are counted one by one. */
const maxAliasCount = 1000;

export const isMap = (value: unknown): value is YamlMap =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Reference);

/** What a map has itself: `constructor` is no job of every file. */
export const ownValue = (map: YamlMap, key: string): unknown => (Object.hasOwn(map, key) ? map[key] : undefined);

/** The map that a pipeline file is, its references as they stand. @throws PipelineFileError */
export function parseYaml(content: string): YamlMap {
  const root = parse(content);
  if (!isMap(root)) throw new PipelineFileError('Invalid configuration format');
  return root;
}

/** The same with its references resolved. @throws PipelineFileError */
export const resolveReferences = (root: YamlMap, budget: Budget): YamlMap =>
  new Resolver(root, budget).resolve(root, 0) as YamlMap;

function parse(content: string): unknown {
  try {
    // Keys given twice are no error for those who write these files: the last one counts.
    const document = parseDocument(content, { merge: true, uniqueKeys: false, customTags: [referenceTag] });
    const [error] = document.errors;
    if (error) throw new PipelineFileError(error.message.replace(/:?(\n.*)?$/s, ''));
    return document.toJS({ maxAliasCount });
  } catch (cause) {
    // The parser calls itself for each level.
    if (cause instanceof RangeError) throw new PipelineFileError('The parsed YAML is too deep');
    throw new PipelineFileError(cause instanceof Error ? cause.message : String(cause));
  }
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
    for (const key of path) value = isMap(value) ? ownValue(value, key) : undefined;
    if (value === undefined || path.length === 0) {
      throw new PipelineFileError(`!reference ${JSON.stringify(path)} could not be found`);
    }
    return value;
  }
}
