import { addressWithSuffix, parseGitRequest } from './git-request';

describe('parseGitRequest', () => {
  it('reads the advertisement of a nested project', () => {
    expect(parseGitRequest('GET', '/group/sub/app.git/info/refs?service=git-upload-pack')).toEqual({
      path: 'group/sub/app',
      repository: 'project',
      service: 'git-upload-pack',
      phase: 'advertise',
    });
  });

  it('reads a push to a wiki', () => {
    expect(parseGitRequest('POST', '/group/app.wiki.git/git-receive-pack')).toEqual({
      path: 'group/app',
      repository: 'wiki',
      service: 'git-receive-pack',
      phase: 'rpc',
    });
  });

  it.each([
    ['GET', '/group/app.git/info/refs'],
    ['GET', '/group/app.git/info/refs?service=git-upload-archive'],
    ['GET', '/group/app.git/git-upload-pack'],
    ['POST', '/group/app.git/info/refs?service=git-upload-pack'],
    ['GET', '/group/app/info/refs?service=git-upload-pack'],
    ['GET', '/%ZZ.git/info/refs?service=git-upload-pack'],
    ['GET', '/group/app.git/HEAD'],
  ])('is nothing of git: %s %s', (method, url) => {
    expect(parseGitRequest(method, url)).toBeUndefined();
  });
});

describe('addressWithSuffix', () => {
  // This used to be 404.
  it('leads a clone without .git to the address with it', () => {
    const address = addressWithSuffix('GET', '/group/sub/app/info/refs?service=git-upload-pack');
    expect(new URL(address!, 'http://host/group/sub/app/info/refs').href).toBe(
      'http://host/group/sub/app.git/info/refs?service=git-upload-pack',
    );
  });

  it.each([
    ['GET', '/group/app.git/info/refs?service=git-upload-pack'],
    ['GET', '/group/app/info/refs'],
    ['GET', '/group/app/info/refs?service=x%0d%0aevil'],
    ['POST', '/group/app/git-upload-pack'],
    ['GET', '/info/refs?service=git-upload-pack'],
  ])('does not change %s %s', (method, url) => {
    expect(addressWithSuffix(method, url)).toBeUndefined();
  });
});
