/** Who can do everything from the first start on. */
export interface FirstAdministrator {
  username: string;
  email: string;
  password: string;
  token: string;
}

export const firstAdministrator = (password: string, token: string): FirstAdministrator => ({
  username: 'root',
  email: 'root@localhost.invalid',
  password,
  token,
});
