import { isBelow, matchesWildcard } from '@moothall/contracts';
import { RE2JS } from 're2js';
import type { ProtectionRule } from './protection-rule.schema';

type Rule = Pick<ProtectionRule, 'protects' | 'pattern' | 'pushLevel' | 'deletionLevel'>;

/** Evaluates the protection rules of a project; `rank` is the caller's level for them. See docs/api/registry.md#10. */
export class Protection {
  constructor(private readonly rules: readonly Rule[]) {}

  /** The tag of a push is unknown when the token is issued: every rule for tags applies. */
  refusesPush(path: string, rank: number): boolean {
    return this.of(path).some(({ pushLevel }) => isBelow(pushLevel, rank)) || this.tags('pushLevel', rank).length > 0;
  }

  /** Deletion of a whole image, or of a manifest by digest with any tags. */
  refusesDeletion(path: string, rank: number): boolean {
    return this.refusesDeletionOfAny(path, rank) || this.tags('deletionLevel', rank).length > 0;
  }

  /** Deletion of any tag of the image. */
  refusesDeletionOfAny(path: string, rank: number): boolean {
    return this.of(path).some(({ deletionLevel }) => isBelow(deletionLevel, rank));
  }

  /** Tags of an image that the caller may not delete. */
  keptTags(path: string, rank: number): (name: string) => boolean {
    if (this.refusesDeletionOfAny(path, rank)) return () => true;
    const patterns = this.tags('deletionLevel', rank).map(({ pattern }) => RE2JS.compile(pattern));
    return (name) => patterns.some((pattern) => pattern.matcher(name).find());
  }

  private of(path: string): Rule[] {
    return this.rules.filter(({ protects, pattern }) => protects === 'images' && matchesWildcard(pattern, path));
  }

  private tags(level: 'pushLevel' | 'deletionLevel', rank: number): Rule[] {
    return this.rules.filter((rule) => rule.protects === 'tags' && isBelow(rule[level], rank));
  }
}
