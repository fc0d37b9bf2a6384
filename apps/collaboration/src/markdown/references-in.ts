/** A reference in a text. */
export interface Reference {
  kind: 'issue' | 'merge_request' | 'user' | 'label' | 'commit';
  /** Path of another project; null for the text's own project. */
  project: string | null;
  /** Number, user name, title or SHA. */
  name: string;
}

/** A part of a text: a reference, or plain text. */
export interface Piece {
  text: string;
  reference?: Reference;
}

// The character before decides whether it is a reference: it must not be part of a word, a path or a URL.
const patterns: readonly [RegExp, (groups: Record<string, string | undefined>) => Reference | undefined][] = [
  [
    /(?<![\w./&-])(?<project>[\w./-]{0,255})(?<sign>[#!])(?<iid>\d{1,15})(?!\w)/g,
    ({ project = '', sign, iid = '' }) =>
      Number(iid) > 0 && isPath(project)
        ? { kind: sign === '#' ? 'issue' : 'merge_request', project: project || null, name: String(Number(iid)) }
        : undefined,
  ],
  [/(?<![\w@/.-])@(?<name>\w(?:[\w.-]{0,253}\w)?)/g, ({ name = '' }) => ({ kind: 'user', project: null, name })],
  [
    /(?<![\w~])~(?:"(?<quoted>[^"\n]{1,255})"|(?<plain>\w(?:[\w:.&?-]{0,253}\w)?))/g,
    ({ quoted, plain }) => ({ kind: 'label', project: null, name: quoted ?? plain ?? '' }),
  ],
  [
    /(?<![\w./@-])(?<sha>[0-9a-f]{7,40})(?![\w-])/g,
    // Plain numbers and plain words are rarely commits.
    ({ sha = '' }) => (/\d/.test(sha) && /[a-f]/.test(sha) ? { kind: 'commit', project: null, name: sha } : undefined),
  ],
];

const path = /^\w[\w.-]*(?:\/\w[\w.-]*)*$/;
const isPath = (text: string): boolean => text === '' || path.test(text);

/** Splits a text into parts; joined, they are the text again. */
export function referencesIn(text: string): Piece[] {
  const found = patterns.flatMap(([pattern, read]) =>
    [...text.matchAll(pattern)].flatMap((match) => {
      const reference = read(match.groups ?? {});
      return reference ? [{ at: match.index, text: match[0], reference }] : [];
    }),
  );
  const pieces: Piece[] = [];
  let at = 0;
  for (const one of found.sort((a, b) => a.at - b.at)) {
    if (one.at < at) continue;
    if (one.at > at) pieces.push({ text: text.slice(at, one.at) });
    pieces.push({ text: one.text, reference: one.reference });
    at = one.at + one.text.length;
  }
  if (at < text.length) pieces.push({ text: text.slice(at) });
  return pieces;
}

/** The key of a reference, whichever way it is written. */
export const keyOf = ({ kind, project, name }: Reference): string => JSON.stringify([kind, project, name]);
