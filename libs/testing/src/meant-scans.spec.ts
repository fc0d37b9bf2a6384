import { refuseScans } from './meant-scans';

const scan = (namespace: string, filter: string, sort: string[] = []) => ({ namespace, documents: 3, filter, sort });

it('a query without an index is named', () => {
  const scans = [scan('test1_ci.jobs', 'projectId'), scan('test1_ci.jobs', 'state, updatedAt $lt', ['createdAt'])];
  expect(() => refuseScans('ci', scans)).toThrow(
    'queries of ci without an index:\njobs: {projectId} (3 documents)\njobs: {state, updatedAt $lt}, sorted by createdAt (3 documents)',
  );
});

it('one that is meant may be, in the service that means it', () => {
  expect(() => refuseScans('identity', [scan('test1_identity.users', '')])).not.toThrow();
  expect(() => refuseScans('ci', [scan('test1_ci.counters', '')])).not.toThrow();
  expect(() => refuseScans('ci', [scan('test1_ci.users', '')])).toThrow('users');
  expect(() => refuseScans('identity', [scan('test1_identity.users', 'name')])).toThrow('users');
});
