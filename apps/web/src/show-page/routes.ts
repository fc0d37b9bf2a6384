import { type MatchFunction, match } from 'path-to-regexp';
import type { Address, ProjectAddress } from '../page/page';

interface Route<T> {
  entry: T;
  parametersOf: MatchFunction<Partial<Record<string, string | string[]>>>;
}

/** Finds the entry whose pattern fits the path below a project. */
export class Routes<T extends { at: string | string[] }> {
  private readonly routes: Route<T>[];

  constructor(entries: readonly T[]) {
    this.routes = entries.map((entry) => ({ entry, parametersOf: match(entry.at) }));
  }

  /** @returns undefined if none fits, or a segment is not encoded correctly */
  find(below: string, address: Address): { entry: T; address: ProjectAddress } | undefined {
    try {
      for (const { entry, parametersOf } of this.routes) {
        const found = parametersOf(below);
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
