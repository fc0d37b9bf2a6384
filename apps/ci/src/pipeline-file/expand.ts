import type { Variables } from './job-spec';

/** A text with `$NAME` and `${NAME}` replaced; what is not known is empty. */
export const expand = (text: string, known: Variables): string =>
  text.replace(/\$(?:(\w+)|\{(\w+)\})/g, (_all, bare?: string, braced?: string) => {
    const name = bare ?? braced ?? '';
    return Object.hasOwn(known, name) ? (known[name] ?? '') : '';
  });
