import { type CollectionTag, parseDocument, YAMLSeq } from 'yaml';
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

/** How often aliases may multiply content: a few lines can stand for gigabytes. */
const maxAliasCount = 1000;
const maxDepth = 50;

export const isMap = (value: unknown): value is YamlMap =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * The map that a pipeline file is, with its references resolved.
 * @throws PipelineFileError
 */
export function readYaml(content: string): YamlMap {
  const root = parse(content);
  if (!isMap(root)) throw new PipelineFileError('Invalid configuration format');
  return resolve(root, root, 0) as YamlMap;
}

function parse(content: string): unknown {
  // Keys given twice are no error for those who write these files: the last one counts.
  const document = parseDocument(content, { merge: true, uniqueKeys: false, customTags: [referenceTag] });
  const [error] = document.errors;
  if (error) throw new PipelineFileError(error.message.split('\n')[0]!.replace(/:$/, ''));
  try {
    return document.toJS({ maxAliasCount });
  } catch (cause) {
    throw new PipelineFileError(cause instanceof Error ? cause.message : String(cause));
  }
}

function resolve(value: unknown, root: YamlMap, depth: number): unknown {
  if (depth > maxDepth) throw new PipelineFileError('the file is nested too deeply');
  if (value instanceof Reference) return resolve(follow(value, root), root, depth + 1);
  if (Array.isArray(value)) return value.map((item) => resolve(item, root, depth + 1));
  if (!isMap(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, resolve(item, root, depth + 1)]));
}

function follow({ path }: Reference, root: YamlMap): unknown {
  let value: unknown = root;
  for (const key of path) value = isMap(value) ? value[key] : undefined;
  if (value === undefined || path.length === 0) {
    throw new PipelineFileError(`!reference ${JSON.stringify(path)} could not be found`);
  }
  return value;
}
