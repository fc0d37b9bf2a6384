import { commonErrors, invalidParameters } from '@moothall/contracts';

/** The nesting limit of v4 servers. */
const maxDepth = 100;
/**
 * Limit of values: each costs more than its bytes, and some megabytes of empty lists would block the process for
 * seconds.
 */
const maxValues = 500_000;

/** @throws common.bad_request for too deep or too long texts; common.invalid_parameters for invalid JSON */
export function readJson(text: string): unknown {
  // Some clients send the header on requests without a body.
  if (text.trim() === '') return {};
  refuseExcess(text);
  try {
    return JSON.parse(text);
  } catch {
    throw invalidParameters('the body is not valid JSON');
  }
}

/**
 * Checked in the text: some megabytes of brackets take the parser seconds, and overflow the stack of code that walks
 * the result.
 */
function refuseExcess(text: string): void {
  let depth = 0;
  let values = 1;
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (char === '"') at = endOfString(text, at);
    else if (char === '[' || char === '{') depth++;
    else if (char === ']' || char === '}') depth--;
    else if (char === ',') values++;
    if (depth > maxDepth || values > maxValues) throw commonErrors.badRequest();
  }
}

/** The end of the string that begins at `start`: a quote with an even number of backslashes before it. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; ; at++) {
    const quote = text.indexOf('"', at);
    if (quote === -1) return text.length;
    let backslashes = 0;
    while (text[quote - 1 - backslashes] === '\\') backslashes++;
    if (backslashes % 2 === 0) return quote;
    at = quote;
  }
}
