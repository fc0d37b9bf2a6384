import {
  type ContextOf,
  openidConfiguration,
  type ParsedOf,
  type ResultOf,
  rotateSigningKey,
  scopes,
  signingKeys,
  signJobIdToken,
  userInfo,
} from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { settingsToken } from '@moothall/service';
import { Controller, Inject } from '@nestjs/common';
import type { IdentitySettings } from '../settings/settings';
import { Users } from '../user/user.repository';
import { Claims } from './claims';
import { IdTokens, issuerOf } from './id-token';
import { SigningKeys } from './signing-key';

@Controller()
export class OpenidOperations {
  constructor(
    private readonly users: Users,
    private readonly claims: Claims,
    private readonly keys: SigningKeys,
    private readonly tokens: IdTokens,
    @Inject(settingsToken) private readonly settings: IdentitySettings,
  ) {}

  @Handles(userInfo)
  async userInfo({ caller }: ContextOf<typeof userInfo>): Promise<ResultOf<typeof userInfo>> {
    return this.claims.collect(await this.users.get(caller.id), caller.scopes);
  }

  @Handles(signingKeys)
  async signingKeys(): Promise<ResultOf<typeof signingKeys>> {
    return { keys: (await this.keys.published()).map(({ jwk }) => jwk) };
  }

  @Handles(rotateSigningKey)
  async rotate(
    _context: ContextOf<typeof rotateSigningKey>,
    input: ParsedOf<typeof rotateSigningKey>,
  ): Promise<ResultOf<typeof rotateSigningKey>> {
    const { kid, signsFrom } = await this.keys.rotate(input.signs_after_seconds);
    const { length: published } = await this.keys.published();
    return { kid, signs_from: new Date(signsFrom).toISOString(), published };
  }

  @Handles(signJobIdToken)
  async signForJob(_context: ContextOf<typeof signJobIdToken>, input: ParsedOf<typeof signJobIdToken>) {
    return { token: await this.tokens.makeForJob(input) };
  }

  @Handles(openidConfiguration)
  async discovery(): Promise<ResultOf<typeof openidConfiguration>> {
    const issuer = issuerOf(this.settings);
    return {
      issuer,
      authorization_endpoint: `${issuer}/oauth/authorize`,
      token_endpoint: `${issuer}/oauth/token`,
      revocation_endpoint: `${issuer}/oauth/revoke`,
      introspection_endpoint: `${issuer}/oauth/introspect`,
      userinfo_endpoint: `${issuer}/oauth/userinfo`,
      jwks_uri: `${issuer}/oauth/discovery/keys`,
      scopes_supported: [...scopes],
      response_types_supported: ['code', 'token'],
      response_modes_supported: ['query', 'fragment', 'form_post'],
      grant_types_supported: ['authorization_code', 'implicit', 'password', 'client_credentials', 'refresh_token'],
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
      revocation_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
      introspection_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
      authorization_response_iss_parameter_supported: true,
      prompt_values_supported: ['none', 'login', 'consent', 'select_account'],
      request_parameter_supported: false,
      // The default would be true.
      request_uri_parameter_supported: false,
      claims_parameter_supported: false,
      ui_locales_supported: ['en'],
      service_documentation: `${issuer}/-/reference`,
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
      claim_types_supported: ['normal'],
      claims_supported: [
        'iss',
        'sub',
        'aud',
        'exp',
        'iat',
        'auth_time',
        'nonce',
        'at_hash',
        'name',
        'nickname',
        'preferred_username',
        'profile',
        'picture',
        'website',
        'updated_at',
        'email',
        'email_verified',
        'jti',
        'nbf',
        'project_path',
        'ci_config_ref_uri',
        'ref_path',
        'sha',
        'environment',
      ],
      code_challenge_methods_supported: ['S256', 'plain'],
    };
  }
}
