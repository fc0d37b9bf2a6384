import { PipelineFileError } from './job-spec';
import { isMap, type YamlMap } from './read-yaml';

const maxDepth = 10;

/**
 * A job with what it `extends`: maps are merged, everything else is replaced; later templates win over earlier ones.
 * @throws PipelineFileError when a template is missing, or they go round in a circle
 */
export function extendJob(name: string, root: YamlMap, depth = 0): YamlMap {
  const job = Object.hasOwn(root, name) ? root[name] : undefined;
  if (!isMap(job)) throw new PipelineFileError(`${name}: unknown keys in \`extends\` (${name})`);
  if (depth > maxDepth) throw new PipelineFileError(`${name}: circular dependency or nesting too deep in \`extends\``);
  const { extends: templates, ...own } = job;
  return [templates ?? []]
    .flat()
    .map((template) => extendJob(String(template), root, depth + 1))
    .concat(own)
    .reduce(merged, {});
}

function merged(base: YamlMap, over: YamlMap): YamlMap {
  const result = { ...base };
  for (const [key, value] of Object.entries(over)) {
    const below = result[key];
    result[key] = isMap(below) && isMap(value) ? merged(below, value) : value;
  }
  return result;
}
