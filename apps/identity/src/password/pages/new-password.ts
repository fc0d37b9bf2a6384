import { html } from '../../page/html';
import { passwordProblems } from '../password';

interface Given {
  password?: string | undefined;
  password_confirmation?: string | undefined;
}

/** Both fields of a form that sets a password. */
export const newPasswordFields = html`<label for="password">New password (at least 8 characters)</label>
<input id="password" name="password" type="password" autocomplete="new-password" minlength="8" maxlength="128" required>
<label for="password_confirmation">Repeat the new password</label>
<input id="password_confirmation" name="password_confirmation" type="password" autocomplete="new-password" required>`;

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
