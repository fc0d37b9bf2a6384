import { operations } from '@moothall/contracts';
import type { HTTPMethods } from 'fastify';
import { pathsOf } from './generated-controllers';

interface KnownPath {
  path: string;
  methods: Set<HTTPMethods>;
}

/** A pattern of a path segment, and the segments after it. */
interface Part {
  named: Map<string, Part>;
  /** Parameters; those with more specific patterns come first. */
  patterns: { shape: string; pattern: RegExp; part: Part }[];
  known?: KnownPath;
}

/** The paths of the API, for requests without a route. */
export class KnownPaths {
  private readonly root = newPart();
  private readonly all: KnownPath[] = [];
  /** Paths that end in a file path. */
  private readonly open: (KnownPath & { pattern: RegExp })[] = [];

  constructor() {
    for (const operation of operations) {
      for (const route of operation.routes) {
        for (const path of pathsOf(route, operation)) {
          const { methods } = this.add(path);
          methods.add(route.method);
          if (route.method === 'GET') methods.add('HEAD');
        }
      }
    }
  }

  /** @returns the methods of a path; none for an unknown path */
  methodsOf(path: string): HTTPMethods[] {
    const [own] = this.matching(path);
    return [...new Set([...(own?.methods ?? []), ...this.openMethodsOf(path)])];
  }

  /** @returns the format suffix of a known path, if it is unsupported */
  otherFormatOf(path: string): string | undefined {
    const [, named, format] = /^(.+)\.(?!json$)([^./]+)$/.exec(path) ?? [];
    if (format === undefined) return undefined;
    return this.matching(`${named}.json`).some((one) => isInJson(one.path)) ? format : undefined;
  }

  /** Paths whose missing methods or formats the route of another path, with a parameter, would match. */
  overshadowed(): { url: string; method: HTTPMethods[] }[] {
    const refused = this.all.flatMap(({ path, methods }) => {
      const wrong = { url: path, method: this.takenBeside(path, methods) };
      if (!isInJson(path)) return [wrong];
      const url = path.replace(/json$/, ':unknown_format');
      return [wrong, { url, method: this.takenBeside(url, new Set()) }];
    });
    return refused.filter(({ method }) => method.length > 0);
  }

  private takenBeside(path: string, own: ReadonlySet<HTTPMethods>): HTTPMethods[] {
    const takers = this.matching(path).filter(({ methods }) => methods !== own);
    if (takers.length === 0) return [];
    const open = this.openMethodsOf(path);
    const taken = new Set(takers.flatMap(({ methods }) => [...methods]));
    return [...taken].filter((method) => !own.has(method) && !open.includes(method));
  }

  private openMethodsOf(path: string): HTTPMethods[] {
    return this.open.flatMap(({ pattern, methods }) => (pattern.test(path) ? [...methods] : []));
  }

  /** The most specific ones first, in the order of the router. */
  private matching(path: string): KnownPath[] {
    const names = path.split('/');
    const below = (part: Part, at: number): KnownPath[] => {
      const name = names[at];
      if (name === undefined) return part.known ? [part.known] : [];
      const named = part.named.get(name);
      const others = part.patterns.filter(({ pattern }) => pattern.test(name)).map((one) => one.part);
      return [...(named ? [named] : []), ...others].flatMap((one) => below(one, at + 1));
    };
    return below(this.root, 0);
  }

  /** Paths that differ only in parameter names are one. */
  private add(path: string): KnownPath {
    if (path.endsWith('*')) {
      const open = { path, methods: new Set<HTTPMethods>(), pattern: patternOf(path) };
      this.open.push(open);
      return open;
    }
    const last = path.split('/').reduce(partBelow, this.root);
    if (!last.known) {
      last.known = { path, methods: new Set() };
      this.all.push(last.known);
    }
    return last.known;
  }
}

const newPart = (): Part => ({ named: new Map(), patterns: [] });

function partBelow(above: Part, name: string): Part {
  if (!name.includes(':')) {
    const part = above.named.get(name) ?? newPart();
    above.named.set(name, part);
    return part;
  }
  const shape = name.replace(/:\w+/g, ':');
  const known = above.patterns.find((one) => one.shape === shape);
  if (known) return known.part;
  const part = newPart();
  above.patterns.push({ shape, pattern: patternOf(name), part });
  above.patterns.sort((one, other) => other.shape.length - one.shape.length);
  return part;
}

const isInJson = (path: string): boolean => path.endsWith('.json');

const quote = (text: string): string => text.replace(/[.+?^${}()|[\]\\]/g, '\\$&');

const patternOf = (path: string): RegExp => new RegExp(`^${quote(path).replace('*', '.*').replace(/:\w+/g, '[^/]+')}$`);
