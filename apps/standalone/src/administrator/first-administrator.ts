/** The administrator of the first start. */
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
