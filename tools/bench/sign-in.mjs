/** Signs in as the administrator, as a browser does. @returns the cookies of a session of the administrator */
export async function signIn({ url, username, password }) {
  const cookies = new Map();
  const send = async (init) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { accept: 'text/html', cookie };
    const answer = await fetch(`${url}/users/sign_in`, { redirect: 'manual', headers, ...init });
    for (const set of answer.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(set);
      cookies.set(name, value);
    }
    return { status: answer.status, text: await answer.text(), cookie };
  };
  const { text } = await send();
  const hidden = [...text.matchAll(/type="hidden" name="([^"]*)" value="([^"]*)"/g)].map(([, name, value]) => [
    name,
    value,
  ]);
  const body = new URLSearchParams([...hidden, ['login', username], ['password', password]]);
  const { status } = await send({ method: 'POST', body });
  if (status !== 303 && status !== 302) throw new Error(`the sign-in was answered with ${status}`);
  return [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
}
