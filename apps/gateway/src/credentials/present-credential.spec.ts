import { addOwnKey, operations } from '@moothall/contracts';
import type { FastifyRequest } from 'fastify';
import {
  jobTokenOf,
  namesCallerInBody,
  presentCredential,
  privateTokenOf,
  readsJobToken,
  sudoOf,
} from './present-credential';

const request = (over: object): FastifyRequest => ({ headers: {}, query: {}, body: null, ...over }) as never;

describe('the credential of a request', () => {
  it.each([
    [{}, undefined],
    [{ headers: { authorization: 'Bearer x' } }, 'bearer'],
    [{ headers: { authorization: 'bearer x' } }, 'bearer'],
    [{ headers: { authorization: 'Basic eDp5' } }, 'basic'],
    [{ headers: { authorization: 'Digest x' } }, undefined],
    [{ headers: { authorization: 'x bearer y' } }, undefined],
    [{ headers: { authorization: 'x basic y' } }, undefined],
    [{ query: { access_token: 'x' } }, 'bearer'],
    [{ query: { private_token: 'x' } }, 'private-token'],
    [{ body: { private_token: 'x' } }, 'private-token'],
    [{ headers: { 'private-token': 'x' } }, 'private-token'],
    [{ headers: { 'private-token': '' } }, undefined],
    [{ headers: { 'job-token': 'x' } }, 'job-token'],
    [{ headers: { 'job-token': '' } }, undefined],
    [{ query: { job_token: 'x' } }, 'job-token'],
    [{ headers: { 'deploy-token': 'x' } }, 'deploy-token'],
    [{ headers: { 'deploy-token': '' } }, undefined],
    [{ query: { deploy_token: 'x' } }, undefined],
    [{ query: { private_token: ['x'] } }, undefined],
    [{ query: { private_token: '' } }, undefined],
    [{ body: { private_token: 7 } }, undefined],
    [{ query: undefined }, undefined],
    [{ body: undefined, query: { private_token: 'x' } }, 'private-token'],
    // The first kind decides, even if another is there as well.
    [{ headers: { authorization: 'Bearer x', 'private-token': 'x' } }, 'bearer'],
    [{ headers: { authorization: 'Basic x', 'private-token': 'x', 'job-token': 'x' } }, 'private-token'],
    [{ headers: { authorization: 'Basic x', 'job-token': 'x' } }, 'job-token'],
    [{ headers: { authorization: 'Basic x', 'job-token': 'x', 'deploy-token': 'x' } }, 'job-token'],
    [{ headers: { authorization: 'Basic x', 'deploy-token': 'x' } }, 'deploy-token'],
    [{ headers: { authorization: 'Basic x' }, query: { access_token: 'x' } }, 'bearer'],
  ])('%j is %s', (over, expected) => expect(presentCredential(request(over))).toBe(expected));

  it('in a parameter wins over that in a header, unless it is empty', () => {
    const headers = { 'private-token': 'header', 'job-token': 'header', sudo: 'header' };
    for (const [of, name] of [
      [privateTokenOf, 'private_token'],
      [jobTokenOf, 'job_token'],
      [sudoOf, 'sudo'],
    ] as const) {
      expect(of(request({ headers, query: { [name]: 'query' }, body: { [name]: 'body' } }))).toBe('body');
      expect(of(request({ headers, query: { [name]: 'query' } }))).toBe('query');
      expect(of(request({ headers, query: { [name]: '' } }))).toBe('header');
      expect(of(request({}))).toBeUndefined();
      expect(of(request({ headers: { 'private-token': ['a', 'b'] } }))).toBeUndefined();
    }
    expect([jobTokenOf, sudoOf].map((of) => of(request({ headers: { 'job-token': '', sudo: '' } })))).toEqual([
      undefined,
      undefined,
    ]);
  });

  it.each([
    [{ private_token: 'x' }, true],
    [{ access_token: 'x' }, true],
    [{ job_token: 'x' }, true],
    [{ sudo: 1 }, true],
    [{ private_token: '' }, false],
    [{ title: 'x' }, false],
    [null, false],
    [undefined, false],
    ['private_token', false],
  ])('is named in the body %j: %s', (body, expected) => expect(namesCallerInBody(request({ body }))).toBe(expected));
});

it('operations for jobs are marked', () => {
  expect(readsJobToken(addOwnKey)).toBe(false);
  expect(operations.filter(readsJobToken).length).toBeGreaterThan(0);
  expect(operations.every(readsJobToken)).toBe(false);
});
