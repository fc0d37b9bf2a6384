import type { Value } from '../bson/value';

export function letVariables(_given: Value): Record<string, Value> | undefined {
  return undefined;
}
