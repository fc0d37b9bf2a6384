import { nodeProblems, urlKeyOf } from './node-rules';

const good = { name: 'berlin', url: 'https://berlin.example.com/' };

it.each([
  good,
  { ...good, internal_url: '', selective_sync_type: null },
  { ...good, internal_url: 'http://10.0.0.1:8080', selective_sync_type: 'shards', repos_max_capacity: 1 },
  { ...good, selective_sync_type: '' },
])('accepts %j', (given) => expect(nodeProblems(given)).toEqual({}));

it.each([
  [{ name: '  ' }, { name: ["can't be blank"] }],
  [{ url: 'ftp://a.example' }, { url: ['is blocked: Only allowed schemes are http, https'] }],
  [{ url: 'berlin' }, { url: ['is blocked: Only allowed schemes are http, https'] }],
  [{ internal_url: 'javascript:1' }, { internal_url: ['is blocked: Only allowed schemes are http, https'] }],
  [{ selective_sync_type: 'all' }, { selective_sync_type: ['is not included in the list'] }],
  [
    { files_max_capacity: 0, minimum_reverification_interval: -1 },
    { files_max_capacity: ['must be greater than 0'], minimum_reverification_interval: ['must be greater than 0'] },
  ],
])('refuses %j', (wrong, problems) => expect(nodeProblems({ ...good, ...wrong })).toEqual(problems));

it.each([
  ['https://Berlin.example.com', 'https://berlin.example.com/'],
  ['https://berlin.example.com:443/moot/', 'https://berlin.example.com/moot'],
])('treats %s and %s as one address', (one, other) => expect(urlKeyOf(one)).toBe(urlKeyOf(other)));

it('distinguishes addresses', () => {
  expect(urlKeyOf('http://a.example')).not.toBe(urlKeyOf('https://a.example'));
  expect(urlKeyOf('https://a.example/One')).not.toBe(urlKeyOf('https://a.example/one'));
});
