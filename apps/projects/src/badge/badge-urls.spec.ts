import { requireBadgeUrls, resolveBadgeUrl } from './badge-urls';

const values = {
  project_path: 'a/b',
  project_name: 'b',
  project_id: '7',
  default_branch: 'main',
  commit_sha: 'abc',
};

describe('placeholders', () => {
  it('are replaced wherever and however often they occur', () => {
    const url = 'https://x/%{project_path}/%{project_id}/%{default_branch}?c=%{commit_sha}&again=%{project_id}';
    expect(resolveBadgeUrl(url, values)).toBe('https://x/a/b/7/main?c=abc&again=7');
  });

  it('stay unchanged if unknown, or without a project', () => {
    expect(resolveBadgeUrl('https://x/%{other}/%{constructor}', values)).toBe('https://x/%{other}/%{constructor}');
    expect(resolveBadgeUrl('https://x/%{project_id}', null)).toBe('https://x/%{project_id}');
  });

  it('are replaced by raw values, also by those that look like patterns', () => {
    expect(resolveBadgeUrl('https://x/%{default_branch}', { ...values, default_branch: '$&' })).toBe('https://x/$&');
  });
});

describe('URLs of badges', () => {
  it.each(['http://x', 'https://x.example/%{project_path}.svg', 'https://%{project_name}/x'])('may be %s', (url) => {
    expect(() => requireBadgeUrls({ link_url: url, image_url: url })).not.toThrow();
  });

  it.each(['javascript:alert(1)', 'ftp://x', '%{project_path}', 'x', `https://x/${'y'.repeat(255)}`])(
    'may not be %s',
    (url) => {
      expect(() => requireBadgeUrls({ image_url: url })).toThrow(/image_url/);
    },
  );
});
