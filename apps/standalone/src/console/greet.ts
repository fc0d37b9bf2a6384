export interface Greeting {
  url: string;
  username: string;
  password: string;
  token: string;
  connectionFile: string;
  /** False if the sign-in was changed since the first start, or the data come from elsewhere. */
  isSignInValid: boolean;
}

/** The output of `npm start` when the server is ready. */
export function greet({ url, username, password, token, connectionFile, isSignInValid }: Greeting): string {
  const cloneUrl = url.replace('://', `://${username}:${token}@`);
  const signIn = isSignInValid
    ? [`  sign-in   ${username} / ${password}`, `  token     ${token}`]
    : [`  sign-in   as you set it; the token of the first start is not valid any more`];
  return [
    '',
    `Moothall is ready at ${url}`,
    ...signIn,
    `            (also in ${connectionFile})`,
    '',
    'Try:',
    `  curl --header "PRIVATE-TOKEN: ${token}" ${url}/api/v4/version`,
    `  curl --header "PRIVATE-TOKEN: ${token}" --data name=hello ${url}/api/v4/projects`,
    `  git push ${cloneUrl}/${username}/hello.git HEAD:main     (in a repository of yours)`,
    '',
    'Ctrl-C stops everything.',
    '',
  ].join('\n');
}
