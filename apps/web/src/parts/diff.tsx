import type { Diff, ProjectRef } from '@moothall/contracts';
import { Named } from '@moothall/pages';
import { type ComponentChildren, Fragment } from 'preact';
import type { z } from 'zod';
import { below } from './code-address';
import { CodeBlock } from './code-block';

export type FileDiff = z.infer<typeof Diff>;

const mostLines = 500;
const mostCharacters = 32 * 1024;

/** What a review adds to the changes of a file. */
export interface FileReview {
  /** The address of the form for a comment on a line. */
  hrefOf(line: ChangedLine): string | undefined;
  /** Discussions of a line, and the form. */
  below(line: ChangedLine): ComponentChildren;
  /** At the end of the file. */
  end: ComponentChildren;
}

interface FileProps {
  project: ProjectRef;
  /** The commit after the changes, to link to the file; undefined for files that have no pages. */
  revision?: string;
  file: FileDiff;
  review?: FileReview | undefined;
}

/** The changes of one file. */
export const FileChanges = ({ project, revision, file, review }: FileProps) => {
  const { lines, isCut } = changedLines(file);
  return (
    <section class="file">
      <h2>
        {file.deleted_file || revision === undefined ? (
          <Named>{file.deleted_file ? file.old_path : file.new_path}</Named>
        ) : (
          <a href={below(project, 'blob', revision, file.new_path)}>
            <Named>{file.new_path}</Named>
          </a>
        )}
      </h2>
      <Kind file={file} />
      {blocksOf(lines, review).map((block, number) => (
        <Fragment key={number}>
          <CodeBlock label={`Changes of ${file.new_path}${number > 0 ? `, part ${number + 1}` : ''}`}>
            {block.lines.map((line, at) => (
              <DiffLine key={at} line={line} href={review?.hrefOf(line)} />
            ))}
          </CodeBlock>
          {block.below}
        </Fragment>
      ))}
      {isCut && <p class="dim">The rest of the changes is not shown.</p>}
      {review?.end}
    </section>
  );
};

/** What happened to the file, unless only its lines changed. */
const Kind = ({ file }: { file: FileDiff }) => {
  const facts = [
    file.new_file && 'New file.',
    file.deleted_file && 'Deleted file.',
    file.renamed_file && `Renamed from ${file.old_path}.`,
    file.a_mode !== file.b_mode && !file.new_file && !file.deleted_file && `Mode ${file.b_mode}, was ${file.a_mode}.`,
    file.diff === '' && !file.renamed_file && 'Its changes are not shown: they are too many, or it is not a text.',
  ].filter((fact) => fact !== false);
  return facts.length === 0 ? null : (
    <p class="dim">
      <Named>{facts.join(' ')}</Named>
    </p>
  );
};

/** The lines of a diff that a page shows. */
export function changedLines({ diff }: FileDiff): { lines: ChangedLine[]; isCut: boolean } {
  const lines = diff.slice(0, mostCharacters).split('\n', mostLines + 1);
  const isCut = diff.length > mostCharacters || lines.length > mostLines;
  const text = lines.slice(0, mostLines).join('\n');
  return { lines: text === '' ? [] : linesOf(text), isCut };
}

interface Block {
  lines: ChangedLine[];
  below: ComponentChildren;
}

/** Divides lines where something stands below one. */
function blocksOf(lines: readonly ChangedLine[], review: FileReview | undefined): Block[] {
  const blocks: Block[] = [];
  let open: ChangedLine[] = [];
  for (const line of lines) {
    open.push(line);
    const below = review?.below(line);
    if (!below) continue;
    blocks.push({ lines: open, below });
    open = [];
  }
  return open.length > 0 ? [...blocks, { lines: open, below: null }] : blocks;
}

export interface ChangedLine {
  kind: 'add' | 'del' | 'hunk' | undefined;
  text: string;
  /** Its number in the old and in the new file. */
  old: number | undefined;
  now: number | undefined;
}

/** Numbers the lines of a unified diff. */
function linesOf(diff: string): ChangedLine[] {
  let [old, now] = [0, 0];
  return diff
    .replace(/\n$/, '')
    .split('\n')
    .map((text): ChangedLine => {
      const hunk = /^@@ -(\d+)(?:,\d+)? \+(\d+)/.exec(text);
      if (hunk) [old, now] = [Number(hunk[1]), Number(hunk[2])];
      if (hunk || text.startsWith('\\')) return { kind: 'hunk', text, old: undefined, now: undefined };
      if (text.startsWith('+')) return { kind: 'add', text, old: undefined, now: now++ };
      if (text.startsWith('-')) return { kind: 'del', text, old: old++, now: undefined };
      return { kind: undefined, text, old: old++, now: now++ };
    });
}

const DiffLine = ({ line: { kind, text, old, now }, href }: { line: ChangedLine; href: string | undefined }) => (
  <span class={kind}>
    {href === undefined ? (
      <Numbers old={old} now={now} />
    ) : (
      // Not one of the stops of the keyboard, which would have thousands: the form at the end of the file is one.
      <a href={href} tabIndex={-1}>
        <Numbers old={old} now={now} />
      </a>
    )}
    {text}
    {'\n'}
  </span>
);

const Numbers = ({ old, now }: Pick<ChangedLine, 'old' | 'now'>) => (
  <>
    <i>{old}</i>
    <i>{now}</i>
  </>
);
