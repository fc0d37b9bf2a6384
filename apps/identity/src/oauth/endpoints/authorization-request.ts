import { present, type Scope } from '@moothall/contracts';
import type { Application } from '../../application/application.schema';
import { readScopes } from '../read-scopes';
import type { AuthorizationInput } from './authorization-input';

/** A parsed authorization request. */
export interface AuthorizationRequest {
  application: Application;
  redirectUri: string;
  /** Whether the request named it; then the token request has to name it, too. */
  isRedirectUriNamed: boolean;
  responseType: 'code' | 'token';
  responseMode: 'query' | 'fragment' | 'form_post';
  scopes: Scope[];
  state: string | undefined;
  nonce: string | null;
  codeChallenge: string | null;
  codeChallengeMethod: 'S256' | 'plain' | null;
  prompt: Prompt[];
  maxAgeSeconds: number | undefined;
}

/** An error that the application gets by its redirect URI. Source: RFC 6749 4.1.2.1. */
export interface RedirectableError {
  error: string;
  description: string;
}

const prompts = ['none', 'login', 'consent', 'select_account'] as const;
type Prompt = (typeof prompts)[number];

const responseModes = ['query', 'fragment', 'form_post'];
const challengeForm = /^[A-Za-z0-9._~-]{43,128}$/;

/** The target of the answer: it must be known before anything is sent. */
export type AnswerAddress = Pick<AuthorizationRequest, 'redirectUri' | 'responseMode' | 'state'>;

export function addressOf(redirectUri: string, input: AuthorizationInput): AnswerAddress {
  const usual = input.response_type === 'token' ? 'fragment' : 'query';
  // A token in a query would end up in logs. Source: OAuth 2.0 Multiple Response Types 2.1.
  const isQueryOfCode = input.response_mode === 'query' && usual === 'query';
  const isOther = input.response_mode === 'fragment' || input.response_mode === 'form_post' || isQueryOfCode;
  return {
    redirectUri,
    responseMode: isOther ? (input.response_mode as AnswerAddress['responseMode']) : usual,
    state: input.state,
  };
}

/** Reads the rest of a request whose application and redirect URI are valid. */
export function readRequest(
  application: Application,
  address: AnswerAddress,
  input: AuthorizationInput,
  repeated: string[] = [],
): AuthorizationRequest | RedirectableError {
  const scopes = readScopes(input.scope?.split(/\s+/), application);
  const problem =
    repetition(repeated) ??
    unsupported(input) ??
    responseProblem(input) ??
    challengeProblem(application, input) ??
    scopesProblem(scopes, input) ??
    promptProblem(input);
  if (problem) return problem;
  const codeChallenge = input.code_challenge ?? null;
  return {
    ...address,
    application,
    isRedirectUriNamed: input.redirect_uri !== undefined,
    responseType: input.response_type as 'code' | 'token',
    scopes: present(scopes, 'the scopes'),
    nonce: input.nonce ?? null,
    codeChallenge,
    codeChallengeMethod: codeChallenge === null ? null : methodOf(input),
    prompt: promptsOf(input) as Prompt[],
    maxAgeSeconds: input.max_age === undefined ? undefined : Number(input.max_age),
  };
}

const invalidRequest = (description: string): RedirectableError => ({ error: 'invalid_request', description });

/** Source: RFC 6749 3.1. */
const repetition = ([first]: string[]) =>
  first === undefined ? undefined : invalidRequest(`The parameter ${first} was given more than once.`);

/** Parameters that would change the meaning of a request must not be ignored. Source: OpenID Connect Core 3.1.2.6. */
function unsupported(input: AuthorizationInput): RedirectableError | undefined {
  const name = (['request', 'request_uri', 'registration'] as const).find((each) => input[each] !== undefined);
  return name && { error: `${name}_not_supported`, description: `The parameter ${name} is not supported.` };
}

function responseProblem(input: AuthorizationInput): RedirectableError | undefined {
  const { response_type: responseType, response_mode: responseMode } = input;
  if (!responseType) return invalidRequest('Missing required parameter: response_type.');
  if (responseType !== 'code' && responseType !== 'token') {
    return {
      error: 'unsupported_response_type',
      description: 'The authorization server does not support this response type.',
    };
  }
  return responseMode === undefined || responseModes.includes(responseMode)
    ? undefined
    : invalidRequest('The response mode is not supported.');
}

const methodOf = (input: AuthorizationInput) => (input.code_challenge_method ?? 'plain') as 'S256' | 'plain';

/** Without a secret, only the challenge distinguishes the application from an attacker with the code. Source: RFC 9700 2.1.1. */
function challengeProblem({ isConfidential }: Application, input: AuthorizationInput): RedirectableError | undefined {
  const { code_challenge: challenge, response_type: responseType } = input;
  if (challenge === undefined) {
    const isNeeded = !isConfidential && responseType === 'code';
    return isNeeded ? invalidRequest('Code challenge required: applications without a secret use PKCE.') : undefined;
  }
  const isKnown = methodOf(input) === 'S256' || methodOf(input) === 'plain';
  return isKnown && challengeForm.test(challenge)
    ? undefined
    : invalidRequest('The code challenge or its method is invalid.');
}

function scopesProblem(scopes: Scope[] | undefined, input: AuthorizationInput): RedirectableError | undefined {
  if (!scopes) return { error: 'invalid_scope', description: 'The requested scope is invalid, unknown, or malformed.' };
  // Source: OpenID Connect Core 3.1.2.1; plain OAuth may omit it if only one is registered.
  return scopes.includes('openid') && input.scope && input.redirect_uri === undefined
    ? invalidRequest('Missing required parameter: redirect_uri.')
    : undefined;
}

const promptsOf = ({ prompt }: AuthorizationInput): string[] => prompt?.split(/\s+/).filter(Boolean) ?? [];

/** Source: OpenID Connect Core 3.1.2.1. */
function promptProblem(input: AuthorizationInput): RedirectableError | undefined {
  const asked = promptsOf(input);
  if (asked.some((each) => !prompts.some((known) => known === each))) return invalidRequest('The prompt is unknown.');
  if (asked.includes('none') && asked.length > 1)
    return invalidRequest('The prompt none cannot be combined with others.');
  return input.max_age === undefined || /^\d{1,9}$/.test(input.max_age)
    ? undefined
    : invalidRequest('The parameter max_age is invalid.');
}
