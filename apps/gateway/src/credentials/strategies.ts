import type { Caller } from '@moothall/contracts';
import { type BasicCredential, readBasic } from '@moothall/secrets';
import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import type { FastifyRequest } from 'fastify';
import { Strategy as HttpBearer } from 'passport-http-bearer';
import { Strategy } from 'passport-strategy';
import { Authenticator } from './authenticator';
import { deployTokenOf, jobTokenOf, privateTokenOf } from './present-credential';

/** `Authorization: Bearer` and the `access_token` parameter. */
@Injectable()
export class BearerStrategy extends PassportStrategy(HttpBearer, 'bearer') {
  constructor(private readonly authenticator: Authenticator) {
    super();
  }

  validate(token: string): Promise<Caller> {
    return this.authenticator.findByToken(token);
  }
}

/** The header and the parameter for personal, project and impersonation tokens of v4 clients. */
class PrivateToken extends Strategy {
  name = 'private-token';
  protected readonly read: (request: FastifyRequest) => string | undefined = privateTokenOf;

  constructor(
    private readonly verify: (
      request: FastifyRequest,
      token: string,
      done: (error: unknown, caller?: Caller) => void,
    ) => void,
  ) {
    super();
  }

  override authenticate(asked: unknown): void {
    const request = asked as FastifyRequest;
    this.verify(request, this.read(request) ?? '', (error, caller) =>
      error ? this.error(error as Error) : this.success(caller),
    );
  }
}

/** The header and the parameter for job tokens. */
class JobToken extends PrivateToken {
  override name = 'job-token';
  protected override readonly read = jobTokenOf;
}

/** The header in which package clients send a deploy token. */
class DeployToken extends PrivateToken {
  override name = 'deploy-token';
  protected override readonly read = deployTokenOf;
}

@Injectable()
export class DeployTokenStrategy extends PassportStrategy(DeployToken, 'deploy-token') {
  constructor(private readonly authenticator: Authenticator) {
    super();
  }

  validate(_request: FastifyRequest, token: string): Promise<Caller> {
    return this.authenticator.findByDeployToken(token);
  }
}

@Injectable()
export class JobTokenStrategy extends PassportStrategy(JobToken, 'job-token') {
  constructor(private readonly authenticator: Authenticator) {
    super();
  }

  validate(request: FastifyRequest, token: string): Promise<Caller> {
    return this.authenticator.findByJobToken(token, request.ip);
  }
}

@Injectable()
export class PrivateTokenStrategy extends PassportStrategy(PrivateToken, 'private-token') {
  constructor(private readonly authenticator: Authenticator) {
    super();
  }

  validate(_request: FastifyRequest, token: string): Promise<Caller> {
    return this.authenticator.findByToken(token);
  }
}

/** `Authorization: Basic`; refused without a name or a password. */
class BasicHeader extends Strategy {
  name = 'basic';

  constructor(
    private readonly verify: (
      request: FastifyRequest,
      username: string,
      password: string,
      done: (error: unknown, caller?: Caller) => void,
    ) => void,
  ) {
    super();
  }

  override authenticate(asked: unknown): void {
    const request = asked as FastifyRequest;
    const credential = readBasic(request.headers.authorization ?? '');
    if (!credential) this.fail(400);
    else if (!credential.username || !credential.password) this.fail(401);
    else this.identify(request, credential);
  }

  private identify(request: FastifyRequest, { username, password }: BasicCredential): void {
    this.verify(request, username, password, (error, caller) =>
      error ? this.error(error as Error) : this.success(caller),
    );
  }
}

/** User name with password or token, for git, registry clients and reads with curl. */
@Injectable()
export class BasicStrategy extends PassportStrategy(BasicHeader, 'basic') {
  constructor(private readonly authenticator: Authenticator) {
    super();
  }

  validate(request: FastifyRequest, username: string, password: string): Promise<Caller> {
    return this.authenticator.findByPassword(username, password, request.ip);
  }
}
