/** Name and password as a client sends them. */
export interface BasicCredential {
  username: string;
  password: string;
}

/**
 * Source: RFC 7617 2. @returns undefined if it is invalid; the name may be empty, and the password may contain colons
 */
export function readBasic(authorization: string): BasicCredential | undefined {
  const encoded = /^basic +([A-Za-z0-9+/_-]+=*) *$/i.exec(authorization)?.[1];
  if (encoded === undefined) return undefined;
  const [username = '', ...rest] = Buffer.from(encoded, 'base64').toString().split(':');
  return rest.length === 0 ? undefined : { username, password: rest.join(':') };
}
