import type { Diff, Project } from '@moothall/contracts';
import { Named } from '@moothall/pages';
import type { z } from 'zod';
import { below } from './code-address';
import { CodeBlock } from './code-block';

type FileDiff = z.infer<typeof Diff>;

const mostLines = 500;
const mostCharacters = 32 * 1024;

/** The changes of one file. @param revision the commit after them, to link to the file */
export const FileChanges = ({ project, revision, file }: { project: Project; revision: string; file: FileDiff }) => {
  const { text, isCut } = beginningOf(file.diff);
  return (
    <section class="file">
      <h2>
        {file.deleted_file ? (
          <Named>{file.old_path}</Named>
        ) : (
          <a href={below(project, 'blob', revision, file.new_path)}>
            <Named>{file.new_path}</Named>
          </a>
        )}
      </h2>
      <Kind file={file} />
      {text && (
        <CodeBlock label={`Changes of ${file.new_path}`}>
          {linesOf(text).map((line, at) => (
            <DiffLine key={at} {...line} />
          ))}
        </CodeBlock>
      )}
      {isCut && <p class="dim">The rest of the changes is not shown.</p>}
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

function beginningOf(diff: string): { text: string; isCut: boolean } {
  const lines = diff.slice(0, mostCharacters).split('\n', mostLines + 1);
  const isCut = diff.length > mostCharacters || lines.length > mostLines;
  return { text: lines.slice(0, mostLines).join('\n'), isCut };
}

interface ChangedLine {
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

const DiffLine = ({ kind, text, old, now }: ChangedLine) => (
  <span class={kind}>
    <i>{old}</i>
    <i>{now}</i>
    {text}
    {'\n'}
  </span>
);
