import { LRUCache } from 'lru-cache';
import { MongoError } from '../errors';
import { type BsonNumber, toDouble } from './number';
import type { Document } from './value';

/** How strings are compared if a command, collection or index names a collation. Absent means by UTF-8 bytes. */
export interface Collation {
  /** The given options with defaults: two collations are the same if these are. */
  readonly spec: Required<CollationSpec>;
  compare(a: string, b: string): number;
  /** Returns a string that is equal for two strings exactly if the collation considers them equal. It has no order. */
  fold(text: string): string;
}

export interface CollationSpec {
  locale: string;
  strength?: number;
  caseLevel?: boolean;
  caseFirst?: string;
  numericOrdering?: boolean;
  alternate?: string;
  maxVariable?: string;
  backwards?: boolean;
  normalization?: boolean;
}

const optionNames = new Set([
  'locale',
  'strength',
  'caseLevel',
  'caseFirst',
  'numericOrdering',
  'alternate',
  'maxVariable',
  'backwards',
  'normalization',
  'version',
]);

const cache = new Map<string, Collation>();

/**
 * Parses the collation of a command.
 * @returns undefined for none, `{}` and the simple collation, where strings compare by bytes
 * @throws BadValue (2) for an unknown locale, FailedToParse (9) for an unknown option, InvalidOptions for an
 * unsupported one
 */
export function parseCollation(document: Document | null | undefined): Collation | undefined {
  if (!document || Object.keys(document).length === 0) return undefined;
  const unknown = Object.keys(document).find((name) => !optionNames.has(name));
  if (unknown) throw new MongoError(40415, `BSON field 'collation.${unknown}' is an unknown field.`);
  const spec = readSpec(document);
  if (spec.locale === 'simple') return undefined;
  const key = JSON.stringify(spec);
  const known = cache.get(key);
  if (known) return known;
  const collation = createCollation(spec);
  cache.set(key, collation);
  return collation;
}

function readSpec(document: Document): Required<CollationSpec> {
  const { locale, strength, caseLevel, caseFirst, numericOrdering, alternate, maxVariable, backwards, normalization } =
    document;
  if (locale === undefined)
    throw new MongoError(40414, "BSON field 'collation.locale' is missing but a required field");
  if (typeof locale !== 'string') throw new MongoError('TypeMismatch', "Field 'locale' must be of type string");
  return {
    locale,
    strength: strength === undefined ? 3 : toDouble(strength as BsonNumber),
    caseLevel: caseLevel === true,
    caseFirst: typeof caseFirst === 'string' ? caseFirst : 'off',
    numericOrdering: numericOrdering === true,
    alternate: typeof alternate === 'string' ? alternate : 'non-ignorable',
    maxVariable: typeof maxVariable === 'string' ? maxVariable : 'punct',
    backwards: backwards === true,
    normalization: normalization === true,
  };
}

function createCollation(spec: Required<CollationSpec>): Collation {
  const collator = createCollator(spec);
  const foldCharacter = characterFolder(collator);
  // A sort folds the same strings repeatedly.
  const known = new LRUCache<string, string>({
    max: 10_000,
    maxSize: 1_000_000,
    sizeCalculation: (text) => text.length + 1,
  });
  const fold = (text: string): string => {
    const kept = known.get(text);
    if (kept !== undefined) return kept;
    let folded = '';
    for (const character of text.normalize('NFC')) folded += foldCharacter(character);
    const result = spec.numericOrdering ? folded.replace(/(^|\D)0+(?=\d)/g, '$1') : folded;
    known.set(text, result);
    return result;
  };
  return {
    spec,
    fold,
    compare(a, b) {
      if (a === b) return 0;
      const left = fold(a);
      const right = fold(b);
      // Equality is the fold's, so that keys in sets and indexes and comparisons cannot disagree.
      if (left === right) return 0;
      return Math.sign(collator.compare(a, b)) || (left < right ? -1 : 1);
    },
  };
}

const sensitivities: Record<number, Intl.CollatorOptions['sensitivity']> = { 1: 'base', 2: 'accent', 3: 'variant' };

function createCollator(spec: Required<CollationSpec>): Intl.Collator {
  const strength = Math.min(spec.strength, 3);
  if (!(spec.strength in { 1: 0, 2: 0, 3: 0, 4: 0, 5: 0 })) {
    throw new MongoError('BadValue', `Field 'strength' must be between 1 and 5. Got: ${spec.strength}`);
  }
  if (spec.backwards) throw new MongoError('CommandNotSupported', "collation option 'backwards' is not supported");
  if (spec.caseLevel && strength === 2) {
    throw new MongoError('CommandNotSupported', "collation option 'caseLevel' is supported with strength 1 only");
  }
  try {
    const locale = spec.locale.replaceAll('_', '-');
    if (Intl.Collator.supportedLocalesOf(locale).length === 0) throw new RangeError('no such locale');
    return new Intl.Collator(locale, {
      sensitivity: spec.caseLevel && strength === 1 ? 'case' : sensitivities[strength],
      numeric: spec.numericOrdering,
      caseFirst: spec.caseFirst === 'off' ? 'false' : (spec.caseFirst as 'upper' | 'lower'),
      ignorePunctuation: spec.alternate === 'shifted',
    });
  } catch {
    throw new MongoError('BadValue', `Field 'locale' is invalid in: ${JSON.stringify(spec)}`);
  }
}

/** Maps each character to one representative of the characters that are equal in its collator. */
function characterFolder(collator: Intl.Collator): (character: string) => string {
  const folded = new Map<string, string>();
  return (character) => {
    const known = folded.get(character);
    if (known !== undefined) return known;
    const result = collator.compare(character, '') === 0 ? '' : representative(character, collator);
    folded.set(character, result);
    return result;
  };
}

function representative(character: string, collator: Intl.Collator): string {
  const bare = character.normalize('NFKD').replace(/\p{M}/gu, '');
  const candidates = [bare.toUpperCase().toLowerCase(), character.toUpperCase().toLowerCase(), bare, character];
  return candidates.find((candidate) => candidate !== '' && collator.compare(candidate, character) === 0) ?? character;
}
