import {
  type Caller,
  claimUserPath,
  createUser,
  createUserToken,
  highestRole,
  type InputOf,
  type OperationContext,
  type OutputOf,
  releaseUserPath,
  type Scope,
  soleOwnedGroups,
} from '@moothall/contracts';
import { callerNamed, type ServiceUnderTest, startServiceUnderTest, type TestBed, uniqueId } from '@moothall/testing';
import { service } from '../src';

export const administrator: Caller = callerNamed('root', { isAdmin: true, scopes: ['api', 'sudo'] });
export const asAdministrator: Partial<OperationContext> = { caller: administrator };

/** The identity service, with a stub projects service in which every path is free. */
export async function startIdentity(settings: Record<string, string> = {}): Promise<ServiceUnderTest> {
  const started = await startServiceUnderTest(service, settings);
  answerForProjects(started);
  return started;
}

export function answerForProjects({ respond }: TestBed): void {
  respond(claimUserPath, ({ path }) => ({ is_claimed: path !== 'taken-by-a-group' }));
  respond(releaseUserPath, () => undefined);
  respond(soleOwnedGroups, () => []);
  respond(highestRole, () => ({ access_level: 30 }));
}

type Created = OutputOf<typeof createUser>;

/** A new user with a unique name. */
export async function makeUser({ client }: TestBed, over: Partial<InputOf<typeof createUser>> = {}): Promise<Created> {
  const username = `user-${uniqueId()}-${process.pid}`;
  const given = { username, name: username, email: `${username}@example.com`, password: 'correct horse' };
  return client.call(createUser, { skip_confirmation: true, ...given, ...over }, asAdministrator);
}

/** That user as a caller. */
export const callerFor = ({ id, username }: Created, over: Partial<Caller> = {}): Caller =>
  callerNamed(username, { id, ...over });

/** A new token of that user. */
export async function makeToken({ client }: TestBed, user: Created, scopes: Scope[] = ['api']) {
  const input = { user_id: user.id, name: 'test', scopes } as InputOf<typeof createUserToken>;
  return client.call(createUserToken, input, asAdministrator);
}

/** For `rejects.toEqual`: an OperationError whose value has these fields. */
export const failure = (value: object) => expect.objectContaining({ value: expect.objectContaining(value) });
