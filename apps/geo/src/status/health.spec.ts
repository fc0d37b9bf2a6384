import { type HealthFacts, healthOf } from './health';

const now = new Date('2026-01-01T12:00:00Z');
const ago = (seconds: number) => new Date(now.getTime() - seconds * 1000);
const well: HealthFacts = {
  now,
  position: { heardAt: ago(1), caughtUpAt: ago(1), walkAfter: null },
  impostor: null,
  silent: [],
  disks: [{ storage: 'default', free_share: 0.4 }],
};

it.each<[string, Partial<HealthFacts>]>([
  ['', {}],
  ['', { position: { heardAt: ago(1), caughtUpAt: null, walkAfter: 7 } }],
  ['The primary has not answered yet', { position: null }],
  [
    'The primary has not answered for 90 seconds',
    { position: { heardAt: ago(90), caughtUpAt: ago(400), walkAfter: null } },
  ],
  [
    'What answers at the address of the primary is none: GET /geo/events is answered with what is no JSON',
    { impostor: { foundAt: ago(0), words: 'GET /geo/events is answered with what is no JSON' } },
  ],
  ['', { impostor: { foundAt: ago(2), words: 'before the primary answered' } }],
  ['It is 400 seconds behind its primary', { position: { heardAt: ago(1), caughtUpAt: ago(400), walkAfter: null } }],
  ['The disk of the storage default is full to 98 percent', { disks: [{ storage: 'default', free_share: 0.019 }] }],
  ['Services do not answer: ci, projects', { silent: ['ci', 'projects'] }],
])('is %j', (words, facts) => expect(healthOf({ ...well, ...facts })).toBe(words));
