import { isMap, type YamlMap } from './read-yaml';

/** Below these, keys are names that the author of the file gives, and a name without a value has the empty one. */
const named = new Set(['variables', 'inputs', 'matrix']);

/**
 * A keyword without a value is not given. So a job leaves out a keyword of a template: `image: null`.
 * See docs/api/pipeline-files.md#1.
 */
export const withoutNulls = (map: YamlMap): YamlMap =>
  Object.fromEntries(
    Object.entries(map)
      .filter(([, value]) => value !== null)
      .map(([key, value]) => [key, named.has(key) ? value : below(value)]),
  );

function below(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(below);
  return isMap(value) ? withoutNulls(value) : value;
}
