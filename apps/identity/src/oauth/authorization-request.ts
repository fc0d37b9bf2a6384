import type { authorize, ParsedOf, Scope } from '@moothall/contracts';
import type { Application } from '../application/application.schema';
import { readScopes } from './read-scopes';

export type AuthorizationInput = ParsedOf<typeof authorize>;

/** What an application may ask a user for. */
export interface AuthorizationRequest {
  application: Application;
  redirectUri: string;
  responseType: 'code' | 'token';
  responseMode: 'query' | 'fragment' | 'form_post';
  scopes: Scope[];
  state: string | undefined;
  nonce: string | null;
  codeChallenge: string | null;
  codeChallengeMethod: 'S256' | 'plain' | null;
  prompt: string[];
}

/** Said to the application, by way of its redirect URI. Source: RFC 6749 4.1.2.1. */
export interface RedirectableError {
  error: string;
  description: string;
}

const challengeForm = /^[A-Za-z0-9._~-]{43,128}$/;

/** Where an answer goes to, right or wrong: what must be known before anything is sent anywhere. */
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

/** The redirect URI that is used: exactly one that was registered, or the only one where none is named. */
export function redirectUriOf({ redirectUris }: Application, asked: string | undefined): string | undefined {
  if (asked === undefined) return redirectUris.length === 1 ? redirectUris[0] : undefined;
  return redirectUris.find((registered) => registered === asked);
}

/** Reads the rest of a request whose application and redirect URI are known to be right. */
export function readRequest(
  application: Application,
  address: AnswerAddress,
  input: AuthorizationInput,
): AuthorizationRequest | RedirectableError {
  const { response_type: responseType, code_challenge: codeChallenge = null } = input;
  if (!responseType) return { error: 'invalid_request', description: 'Missing required parameter: response_type.' };
  if (responseType !== 'code' && responseType !== 'token') {
    return {
      error: 'unsupported_response_type',
      description: 'The authorization server does not support this response type.',
    };
  }
  const method = input.code_challenge_method ?? 'plain';
  if (codeChallenge !== null && (!challengeForm.test(codeChallenge) || (method !== 'S256' && method !== 'plain'))) {
    return { error: 'invalid_request', description: 'The code challenge or its method is invalid.' };
  }
  const scopes = readScopes(input.scope?.split(/\s+/), application);
  if (!scopes) {
    return { error: 'invalid_scope', description: 'The requested scope is invalid, unknown, or malformed.' };
  }
  return {
    ...address,
    application,
    responseType,
    scopes,
    nonce: input.nonce ?? null,
    codeChallenge,
    codeChallengeMethod: codeChallenge === null ? null : (method as 'S256' | 'plain'),
    prompt: input.prompt?.split(/\s+/) ?? [],
  };
}
