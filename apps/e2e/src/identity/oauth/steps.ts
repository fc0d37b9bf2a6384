import { createHash, randomBytes } from 'node:crypto';
import { ask, newUser, root } from '../../server/connection';
import { PageVisitor } from '../page-visitor';

/*
 * Requirements of OAuth 2.0 and OpenID Connect that can be tested from outside, over HTTP, by the files in this folder.
 * If v4 clients need something that a specification advises against (implicit and password grants, `plain` challenges,
 * tokens in the query of the API), it is offered, and its limits are tested.
 */

export const redirectUri = 'https://app.example/callback';
const scopes = 'openid profile email read_user api';

export type Parameters = Record<string, string>;

export interface Application {
  client_id: string;
  client_secret: string;
}

/** @param uris one per line */
export async function register(isConfidential: boolean, uris = redirectUri, name = 'Clauses'): Promise<Application> {
  const made = await root.Applications.create(name, uris, scopes, { confidential: isConfidential });
  return { client_id: String(made.applicationId ?? made.application_id), client_secret: String(made.secret) };
}

/** A user with a signed-in browser. */
export async function person() {
  const user = await newUser('guest');
  const visitor = new PageVisitor();
  await visitor.signIn(user.username, user.password);
  return { ...user, visitor };
}

export const verifier = randomBytes(32).toString('base64url');
export const pkce = {
  code_challenge: createHash('sha256').update(verifier).digest('base64url'),
  code_challenge_method: 'S256',
};

export const basic = (id: string, secret: string) => ({
  authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
});
export const basicOf = ({ client_id, client_secret }: Application) => basic(client_id, client_secret);
export const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });

/** The status of an API request with a token. */
export const statusWith = async (token: string): Promise<number> => (await ask('/api/v4/user', bearer(token))).status;

/** An endpoint's response to a form. */
export async function post(path: string, fields: Parameters | string, headers: Parameters = {}) {
  const response = await ask(path, { method: 'POST', body: new URLSearchParams(fields), headers });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === '' ? {} : JSON.parse(text) };
}

/** Form of every refusal except those of the authorization endpoint. Source: RFC 6749 5.2. */
export const refused = (status: number, error: string) => ({
  status,
  body: { error, error_description: expect.any(String) },
});

/** The steps of one application with one user's browser. */
export class Steps {
  constructor(
    readonly application: Application,
    readonly visitor: PageVisitor,
    private readonly uri = redirectUri,
  ) {}

  /** Without parameters that are `undefined`. */
  addressOf(over: Record<string, string | undefined> = {}): string {
    const { client_id } = this.application;
    const usual = { client_id, redirect_uri: this.uri, response_type: 'code', state: 's' };
    const given = Object.entries({ ...usual, ...over }).filter((entry): entry is [string, string] => Boolean(entry[1]));
    return `/oauth/authorize?${new URLSearchParams(given)}`;
  }

  /** The redirect target of a request; gives consent if asked. */
  async ledTo(over: Parameters = {}): Promise<URL> {
    const page = await this.visitor.load(this.addressOf(over));
    const answer = page.status === 200 ? await this.visitor.submit(page, { decision: 'authorize' }) : page;
    return new URL(answer.headers.get('location')!);
  }

  /** Parameters that the application receives. */
  async authorized(over: Parameters = {}): Promise<Parameters> {
    const { search, hash } = await this.ledTo(over);
    return Object.fromEntries(new URLSearchParams(hash.slice(1) || search));
  }

  async code(over: Parameters = {}): Promise<string> {
    return (await this.authorized(over)).code!;
  }

  exchange(code: string, over: Parameters = {}, application: Partial<Application> = this.application) {
    const grant = { grant_type: 'authorization_code', code, redirect_uri: this.uri };
    return post('/oauth/token', { ...grant, ...application, ...over });
  }

  async tokens(scope = 'read_user', over: Parameters = {}): Promise<Parameters> {
    return (await this.exchange(await this.code({ scope, ...over }))).body;
  }

  refresh(refresh_token: string, over: Parameters = {}, application: Partial<Application> = this.application) {
    return post('/oauth/token', { grant_type: 'refresh_token', refresh_token, ...application, ...over });
  }
}
