import type { Document } from '../bson/value';
import { compileFilter, type FilterOptions, type Matcher } from '../query/compile-filter';
import type { FilterNode } from '../query/filter-node';

/** Compiles its filter at its first use: most point reads only use an index. */
export class OnDemandMatcher implements Matcher {
  private compiled: Matcher | undefined;

  constructor(
    readonly node: FilterNode,
    private readonly options: FilterOptions,
  ) {}

  /** @throws if the filter cannot be compiled */
  compile(): Matcher {
    this.compiled ??= compileFilter(this.node, this.options);
    return this.compiled;
  }

  matches(document: Document): boolean {
    return this.compile().matches(document);
  }

  matchesBytes(bytes: Uint8Array): boolean {
    return this.compile().matchesBytes(bytes);
  }

  matchedPosition(document: Document): number | undefined {
    return this.compile().matchedPosition(document);
  }
}
