import type { Operation } from '@moothall/contracts';
import { z } from 'zod';
import type { Fields } from './nest-fields';

/**
 * A number at the end of a path may have a format suffix: `/issues/7.json`. Names may have such an ending themselves
 * and stay unchanged. See docs/api/requests.md#8.
 */
export function withoutSuffix(params: Fields, operation: Pick<Operation, 'input' | 'access'>): Fields {
  const last = Object.entries(params).at(-1);
  if (!last || !/^\d+\.json$/.test(String(last[1])) || !isNumber(last[0], operation)) return params;
  return { ...params, [last[0]]: String(last[1]).slice(0, -'.json'.length) };
}

/** An id, or the reference of a project or group: a project path contains a slash. */
function isNumber(name: string, { input, access }: Pick<Operation, 'input' | 'access'>): boolean {
  if (name === 'id' && 'level' in access) return true;
  return input instanceof z.ZodObject && input.shape[name] instanceof z.ZodNumber;
}
