import type { HighlightedLines } from '../highlight/highlighter';
import { CodeBlock } from './code-block';

/** Limit of shown lines. */
export const mostLines = 3000;

interface Props {
  /** Accessible name: the code can be scrolled with the keyboard. */
  label: string;
  text: string;
  highlighted?: HighlightedLines;
}

/** Lines of a file with numbers, which are links: `#L10`. */
export const Lines = ({ label, text, highlighted }: Props) => {
  const lines = text.replace(/\n$/, '').split('\n');
  return (
    <>
      <CodeBlock label={label}>
        {lines.slice(0, mostLines).map((line, at) => (
          <Line key={at} number={at + 1} line={line} html={highlighted?.[at]} />
        ))}
      </CodeBlock>
      {lines.length > mostLines && <p class="dim">These are the first {mostLines} lines.</p>}
    </>
  );
};

interface LineProps {
  number: number;
  line: string;
  html?: string | undefined;
}

/** A line with its number, which is a link to it. */
export const Line = ({ number, line, html }: LineProps) => (
  <span id={`L${number}`}>
    {/* Not one of the stops of the keyboard, which would have thousands. */}
    <a href={`#L${number}`} tabIndex={-1}>
      {number}
    </a>
    {html === undefined ? line : <code dangerouslySetInnerHTML={{ __html: html }} />}
    {'\n'}
  </span>
);
