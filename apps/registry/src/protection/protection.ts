import { isBelow, matchesWildcard } from '@moothall/contracts';
import { RE2JS } from 're2js';
import type { ProtectionRule } from './protection-rule.schema';

type Rule = Pick<ProtectionRule, 'protects' | 'pattern' | 'pushLevel' | 'deletionLevel'>;

/** What the rules of a project keep from whom; `rank` is where somebody stands for them. See docs/api/registry.md#10. */
export class Protection {
  constructor(private readonly rules: readonly Rule[]) {}

  /** A registry does not name the tag of a push in advance: every rule for tags counts. */
  refusesPush(path: string, rank: number): boolean {
    return this.of(path).some(({ pushLevel }) => isBelow(pushLevel, rank)) || this.tags('pushLevel', rank).length > 0;
  }

  /** Of an image as a whole, or of what is in it by digest, with whatever tags that has. */
  refusesDeletion(path: string, rank: number): boolean {
    return this.refusesDeletionOfAny(path, rank) || this.tags('deletionLevel', rank).length > 0;
  }

  /** Of whatever tag of the image. */
  refusesDeletionOfAny(path: string, rank: number): boolean {
    return this.of(path).some(({ deletionLevel }) => isBelow(deletionLevel, rank));
  }

  /** Which tags of an image somebody may not delete. */
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
