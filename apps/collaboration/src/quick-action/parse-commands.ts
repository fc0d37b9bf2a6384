import type { QuickCommand } from './quick-action';

/** The text of a note without its command lines. */
export interface ParsedNote {
  body: string;
  commands: QuickCommand[];
}

/** Limit of commands: each one is a change of its own; further lines stay text. */
const mostCommands = 100;

const fence = /^\s*(```|~~~)/;
const command = /^\/([a-z_]+)(?:\s(.*))?$/s;

/** Finds lines such as `/close`; code and unknown commands stay text. */
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
