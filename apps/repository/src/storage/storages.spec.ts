import path from 'node:path';
import { storageFolders } from './storages';

it('reads the storages of the setting in their order, with absolute folders', () => {
  expect([...storageFolders(['default=/srv/git', 'second-1=data/git'])]).toEqual([
    ['default', '/srv/git'],
    ['second-1', path.resolve('data/git')],
  ]);
});

it.each(['', 'default', 'default=', '=/srv/git', 'a.b=/srv/git', 'a b=/srv/git', 'a*=/srv/git'])(
  'refuses %j, as names are parts of subjects and queues',
  (entry) => {
    expect(() => storageFolders([entry])).toThrow('is not of the form name=folder');
  },
);
