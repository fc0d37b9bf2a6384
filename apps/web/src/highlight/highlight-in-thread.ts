import hljs from 'highlight.js';

/** A text, and the name of its file, which tells the language. */
export interface Source {
  name: string;
  text: string;
}

/** Nested languages repeat their tags in each line, so a short text can become long. */
const mostCharacters = 2 * 1024 ** 2;

/** Names without an extension, and extensions that several languages have. */
const languages = new Map([
  ['cmakelists.txt', 'cmake'],
  ['gemfile', 'ruby'],
  ['jenkinsfile', 'groovy'],
  ['m', 'objectivec'],
  ['rakefile', 'ruby'],
  ['vue', 'xml'],
]);

function languageOf(name: string): string | undefined {
  const lower = name.toLowerCase();
  const extension = lower.slice(lower.lastIndexOf('.') + 1);
  const language = languages.get(lower) ?? languages.get(extension) ?? extension;
  return hljs.getLanguage(language) ? language : undefined;
}

/** Runs in a thread that can be terminated: see Highlighter. @returns HTML of each line; null if it is to be plain text */
export default function highlight({ name, text }: Source): string[] | null {
  const language = languageOf(name);
  if (language === undefined) return null;
  return linesOf(hljs.highlight(text, { language, ignoreIllegals: true }).value);
}

/** Closes the elements that are open at the end of a line, and opens them again in the next one. */
function linesOf(html: string): string[] | null {
  const lines: string[] = [];
  const open: string[] = [];
  let left = mostCharacters;
  for (const line of html.split('\n')) {
    const start = open.join('');
    for (const [tag] of line.matchAll(/<span[^>]*>|<\/span>/g)) {
      if (tag === '</span>') open.pop();
      else open.push(tag);
    }
    const shown = start + line + '</span>'.repeat(open.length);
    left -= shown.length;
    if (left < 0) return null;
    lines.push(shown);
  }
  return lines;
}
