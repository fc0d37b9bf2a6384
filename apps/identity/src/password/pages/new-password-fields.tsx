/** Both fields of a form that sets a password. */
export const NewPasswordFields = () => (
  <>
    <label for="password">New password (at least 8 characters)</label>
    <input
      id="password"
      name="password"
      type="password"
      autocomplete="new-password"
      minlength={8}
      maxlength={128}
      required
    />
    <label for="password_confirmation">Repeat the new password</label>
    <input
      id="password_confirmation"
      name="password_confirmation"
      type="password"
      autocomplete="new-password"
      required
    />
  </>
);
