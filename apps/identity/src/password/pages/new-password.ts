import { passwordProblems } from '../password';

interface Given {
  password?: string | undefined;
  password_confirmation?: string | undefined;
}

/** The reason why a password cannot be set, if any. */
export function newPasswordProblem(
  { password = '', password_confirmation }: Given,
  { mustDifferFrom }: { mustDifferFrom?: string | undefined } = {},
): string | undefined {
  const [problem] = passwordProblems(password);
  if (problem) return `Password ${problem}.`;
  if (password !== password_confirmation) return "Password confirmation doesn't match.";
  return password === mustDifferFrom ? 'The new password must differ from the old one.' : undefined;
}
