import { PageVisitor } from '../identity/page-visitor';
import { connection } from '../server/connection';

/* Browsers get a page for requests that the server refuses, and programs the errors of the API. */

const visitor = new PageVisitor();
const malformed = { method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' } };

async function refused(answer: Response) {
  const heading = /<h1>(.*)<\/h1>/.exec(await answer.text())?.[1];
  const { headers } = answer;
  return [answer.status, headers.get('content-type'), headers.get('cache-control'), heading];
}

const page = 'text/html; charset=utf-8';

it.each(['/explore', '/users/sign_in', '/oauth/authorize'])('a malformed form at %s leads to a page', async (path) => {
  const body = { ...malformed, body: 'title=%zz' };
  const { status } = await fetch(connection.url + path, body);
  const answer = await fetch(connection.url + path, { ...body, headers: { ...body.headers, accept: 'text/html' } });
  expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
  expect([status, ...(await refused(answer))]).toEqual([
    path === '/explore' ? 404 : 400,
    400,
    page,
    'no-store',
    'Invalid request',
  ]);
});

it('a token that is not valid leads to a page', async () => {
  expect(await refused(await visitor.send('/explore?private_token=x'))).toEqual([
    401,
    page,
    'no-store',
    'Unknown token',
  ]);
});

it('programs get JSON, whatever they accept', async () => {
  for (const path of ['/api/v4/user?private_token=x', '/oauth/userinfo?access_token=x']) {
    const answer = await visitor.send(path);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([401, 'application/json']);
  }
});
