const maxKeyLength = 255;

/** Errors of a variable's key. See docs/api/pipelines.md#5. */
export function keyProblems(key: string): string[] {
  if (key === '') return ["can't be blank"];
  const problems: string[] = [];
  if (key.length > maxKeyLength) problems.push(`is too long (maximum is ${maxKeyLength} characters)`);
  if (!/^[A-Za-z0-9_]+$/.test(key)) problems.push("can contain only letters, digits and '_'.");
  return problems;
}

/** Values that runners can find in a log. */
const maskable = /^[A-Za-z0-9_+=/@:.~-]{8,}$/;
/** The same for values without variable references. */
const maskableRaw = /^\S{8,}$/;

/** A text that others read without values that are masked. */
export const withoutValues = (text: string, values: string[]): string =>
  values.toSorted((a, b) => b.length - a.length).reduce((rest, value) => rest.replaceAll(value, '[MASKED]'), text);

/** Errors of a value that should be masked. See docs/api/pipelines.md#10. */
export function maskProblems({ value, masked, raw }: { value: string; masked: boolean; raw: boolean }): string[] {
  return masked && !(raw ? maskableRaw : maskable).test(value) ? ['is invalid'] : [];
}
