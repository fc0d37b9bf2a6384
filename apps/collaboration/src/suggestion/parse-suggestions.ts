import { mostSuggestions } from '../activity/note.schema';

/** A suggestion block in a text. */
export interface WrittenSuggestion {
  /** Number of lines above and below the note's line that it replaces too. */
  above: number;
  below: number;
  lines: string[];
}

const farthest = 100;
const fence = /^ {0,3}(`{3,}|~{3,})/;
const kind = /^suggestion(?::-(\d{1,9})\+(\d{1,9}))?$/;

const distance = (digits: string | undefined): number => Math.min(Number(digits ?? 0), farthest);

/** Closed blocks that begin with ```suggestion or ```suggestion:-2+1. See docs/api/notes.md#13. */
export function parseSuggestions(text: string): WrittenSuggestion[] {
  const found: WrittenSuggestion[] = [];
  let open: { mark: string; info: string; lines: string[] } | undefined;
  for (const line of text.split(/\r?\n/)) {
    const { mark, info } = fenceIn(line);
    if (!open) {
      if (mark !== undefined) open = { mark, info, lines: [] };
    } else if (mark?.startsWith(open.mark) && info === '') {
      const [isOne, above, below] = kind.exec(open.info) ?? [];
      if (isOne !== undefined) found.push({ above: distance(above), below: distance(below), lines: open.lines });
      open = undefined;
    } else open.lines.push(line);
  }
  return found.slice(0, mostSuggestions);
}

/** The fence of a block and its info string; without a mark for all other lines. */
function fenceIn(line: string): { mark?: string | undefined; info: string } {
  const [start = '', mark] = fence.exec(line) ?? [];
  const info = line.slice(start.length).trim();
  return info.includes('`') ? { info } : { mark, info };
}
