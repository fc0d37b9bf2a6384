import { isLfsRequest, parseLfsRequest } from './lfs-request';

const oid = 'a'.repeat(64);

describe('parseLfsRequest', () => {
  it.each([
    ['POST', 'objects/batch', { what: 'batch' }],
    ['POST', 'objects/verify', { what: 'verify' }],
    ['GET', `objects/${oid}`, { what: 'download', oid }],
    ['PUT', `objects/${oid}/12`, { what: 'upload', oid, size: 12 }],
    ['GET', 'locks?path=a&limit=2', { what: 'locks' }],
    ['POST', 'locks', { what: 'lock' }],
    ['POST', 'locks/verify', { what: 'verify-locks' }],
    ['POST', 'locks/7/unlock', { what: 'unlock', lockId: 7 }],
  ])('reads %s %s', (method, rest, asked) => {
    expect(parseLfsRequest(method, `/group/sub/app.git/info/lfs/${rest}`)).toEqual({
      path: 'group/sub/app',
      ...asked,
    });
  });

  it.each([
    ['GET', '/group/app.git/info/lfs/objects/batch'],
    ['GET', `/group/app.git/info/lfs/objects/${oid}/12`],
    ['PUT', `/group/app.git/info/lfs/objects/${oid}`],
    ['GET', `/group/app.git/info/lfs/objects/${oid.slice(1)}`],
    ['GET', `/group/app.git/info/lfs/objects/${oid.toUpperCase()}`],
    ['PUT', `/group/app.git/info/lfs/objects/${oid}/-1`],
    ['PUT', `/group/app.git/info/lfs/objects/${oid}/1e3`],
    ['POST', '/group/app.git/info/lfs/locks/x/unlock'],
    ['DELETE', '/group/app.git/info/lfs/locks/7'],
    ['POST', '/group/app.git/info/lfs'],
    ['POST', '/group/app.wiki.git/info/lfs/objects/batch'],
    ['POST', '/%ZZ.git/info/lfs/objects/batch'],
    ['POST', '/group/app/info/lfs/objects/batch'],
  ])('is nothing of git-lfs: %s %s', (method, url) => {
    expect(parseLfsRequest(method, url)).toBeUndefined();
  });

  it('detects addresses that are answered in the form of git-lfs', () => {
    expect(
      ['/a/b.git/info/lfs', '/a/b.git/info/lfs/x', '/a/b.git/info/lfs?x', '/a/b.git/info/lfsx'].map(isLfsRequest),
    ).toEqual([true, true, true, false]);
  });
});
