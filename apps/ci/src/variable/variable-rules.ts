const maxKeyLength = 255;

/** What is wrong with a variable's key; empty when nothing is. See docs/api/pipelines.md#5. */
export function keyProblems(key: string): string[] {
  if (key === '') return ["can't be blank"];
  const problems: string[] = [];
  if (key.length > maxKeyLength) problems.push(`is too long (maximum is ${maxKeyLength} characters)`);
  if (!/^[A-Za-z0-9_]+$/.test(key)) problems.push("can contain only letters, digits and '_'.");
  return problems;
}
