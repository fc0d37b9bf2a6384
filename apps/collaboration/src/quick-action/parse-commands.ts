import type { QuickCommand } from './quick-action';

/** A note's text apart from the lines that ask for something. */
export interface ParsedNote {
  body: string;
  commands: QuickCommand[];
}

/** Each is a change of its own; what stands below so many of them is text. */
const mostCommands = 100;

const fence = /^\s*(```|~~~)/;
const command = /^\/([a-z_]+)(?:\s(.*))?$/s;

/** Finds lines such as `/close`; code and words that are no command stay text. */
export function parseCommands(text: string, known: ReadonlySet<string>): ParsedNote {
  if (!text.includes('/')) return { body: text, commands: [] };
  const commands: QuickCommand[] = [];
  const kept: string[] = [];
  let isInCode = false;
  for (const line of text.split('\n')) {
    if (fence.test(line)) isInCode = !isInCode;
    const [, name, argument] = (!isInCode && commands.length < mostCommands && command.exec(line.trimEnd())) || [];
    if (name !== undefined && known.has(name)) commands.push({ name, argument: argument?.trimStart() ?? '' });
    else kept.push(line);
  }
  return commands.length > 0 ? { body: kept.join('\n').trim(), commands } : { body: text, commands };
}
