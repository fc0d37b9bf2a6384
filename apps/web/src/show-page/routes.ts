import { type MatchFunction, match } from 'path-to-regexp';
import type { Address, RouteAddress } from '../page/page';

interface Route<T> {
  entry: T;
  parametersOf: MatchFunction<Partial<Record<string, string | string[]>>>;
}

/** Finds the entry whose pattern fits a path. */
export class Routes<T extends { at: string | string[] }> {
  private readonly routes: Route<T>[];

  constructor(entries: readonly T[]) {
    this.routes = entries.map((entry) => ({ entry, parametersOf: match(entry.at) }));
  }

  /** @returns undefined if none fits, or a segment is not encoded correctly */
  find(path: string, address: Address): { entry: T; address: RouteAddress } | undefined {
    try {
      for (const { entry, parametersOf } of this.routes) {
        const found = parametersOf(path);
        if (found) return { entry, address: { ...address, params: joined(found.params) } };
      }
    } catch (error) {
      if (!(error instanceof URIError)) throw error;
    }
    return undefined;
  }
}

const joined = (params: Partial<Record<string, string | string[]>>): Record<string, string> =>
  Object.fromEntries(Object.entries(params).map(([name, value = '']) => [name, [value].flat().join('/')]));
