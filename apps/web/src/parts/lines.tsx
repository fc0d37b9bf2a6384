import type { HighlightedLines } from '../highlight/highlighter';
import { CodeBlock } from './code-block';

/** Limit of shown lines. */
export const mostLines = 3000;

interface Props {
  /** Accessible name: the code can be scrolled with the keyboard. */
  label: string;
  text: string;
  highlighted?: HighlightedLines;
  /** Limit of shown lines. */
  most?: number;
  /** What precedes the number in links; each file of a page has another one. */
  anchor?: string;
}

/** Lines of a file with numbers, which are links: `#L10`. */
export const Lines = ({ label, text, highlighted, most = mostLines, anchor = 'L' }: Props) => {
  const lines = text.replace(/\n$/, '').split('\n');
  return (
    <>
      <CodeBlock label={label}>
        {lines.slice(0, most).map((line, at) => (
          <Line key={at} number={at + 1} line={line} html={highlighted?.[at]} anchor={anchor} />
        ))}
      </CodeBlock>
      {lines.length > most && <p class="dim">These are the first {most} lines.</p>}
    </>
  );
};

interface LineProps {
  number: number;
  line: string;
  html?: string | undefined;
  anchor?: string;
}

/** A line with its number, which is a link to it. */
export const Line = ({ number, line, html, anchor = 'L' }: LineProps) => (
  <span id={`${anchor}${number}`}>
    {/* Not one of the stops of the keyboard, which would have thousands. */}
    <a href={`#${anchor}${number}`} tabIndex={-1}>
      {number}
    </a>
    {html === undefined ? line : <code dangerouslySetInnerHTML={{ __html: html }} />}
    {'\n'}
  </span>
);
