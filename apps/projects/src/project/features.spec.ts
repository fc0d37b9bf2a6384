import { defaultFeatures, featuresOf, viewFeatures } from './features';

describe('parts of a project', () => {
  it('are set by level or by the older switch, and the level wins', () => {
    expect(featuresOf({ issues_enabled: false, wiki_access_level: 'private' })).toEqual({
      issues: 'disabled',
      wiki: 'private',
    });
    expect(featuresOf({ issues_enabled: false, issues_access_level: 'private' })).toEqual({ issues: 'private' });
    expect(featuresOf({})).toEqual({});
  });

  it('that need code are disabled with the code', () => {
    expect(featuresOf({ repository_access_level: 'disabled', builds_access_level: 'enabled' })).toEqual({
      repository: 'disabled',
      merge_requests: 'disabled',
      builds: 'disabled',
    });
  });

  it('are shown in both forms', () => {
    const view = viewFeatures({ ...defaultFeatures, builds: 'disabled', snippets: 'private' });
    expect(view).toMatchObject({
      jobs_enabled: false,
      builds_access_level: 'disabled',
      snippets_enabled: true,
      snippets_access_level: 'private',
    });
  });
});
