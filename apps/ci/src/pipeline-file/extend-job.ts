import type { Budget } from './file-limits';
import { PipelineFileError } from './job-spec';
import { isMap, ownValue, type YamlMap } from './read-yaml';

const maxDepth = 10;

/**
 * A job with its templates of `extends`: maps are merged, everything else is replaced; later templates override
 * earlier ones.
 * @throws PipelineFileError for a missing template, a cycle, or beyond the budget
 */
export function extendJob(name: string, root: YamlMap, budget: Budget, depth = 0): YamlMap {
  const job = ownValue(root, name);
  if (!isMap(job)) throw new PipelineFileError(`${name}: unknown keys in \`extends\` (${name})`);
  if (depth > maxDepth) throw new PipelineFileError(`${name}: circular dependency or nesting too deep in \`extends\``);
  const { extends: templates, ...own } = job;
  return [templates ?? []]
    .flat()
    .map((template) => {
      if (typeof template === 'string') return extendJob(template, root, budget, depth + 1);
      throw new PipelineFileError(`jobs:${name}:extends config should be an array of strings or a string`);
    })
    .concat(own)
    .reduce((base, over) => mergeMaps(base, over, budget), {});
}

/**
 * Merges a map into another: nested maps are merged, everything else is replaced. @throws PipelineFileError beyond
 * the budget
 */
export function mergeMaps(base: YamlMap, over: YamlMap, budget: Budget): YamlMap {
  const result = { ...base };
  const added = Object.entries(over);
  budget.spend(1 + Object.keys(base).length + added.length);
  for (const [key, value] of added) {
    const below = ownValue(result, key);
    result[key] = isMap(below) && isMap(value) ? mergeMaps(below, value, budget) : value;
  }
  return result;
}
