import { isMap, type YamlMap } from './read-yaml';

/** Keys below these are names that the author of the file chooses; a name without a value has the empty value. */
const named = new Set(['variables', 'inputs', 'matrix']);

/**
 * Removes keywords without a value. So a job can drop a keyword of its template: `image: null`.
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
