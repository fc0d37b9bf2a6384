import { isImageName, projectPathsOf } from './image-name';

it.each(['group/app', 'a/b/c/d/e', 'my-group/my--app', 'a.b/c_d/e__f', '1/2', `a/${'b'.repeat(253)}`])(
  'accepts the name %s',
  (name) => {
    expect(isImageName(name)).toBe(true);
  },
);

it.each([
  '',
  '/',
  'Group/app',
  'group/app/',
  '/group/app',
  'group//app',
  'group/-app',
  'group/app-',
  'group/a..b',
  'group/a___b',
  'group/../app',
  'group/app:v1',
  'group/app@sha256',
  'host:5000/group/app',
  'group/äpp',
  'group/app\n',
  `a/${'b'.repeat(254)}`,
])('refuses the name %j', (name) => {
  expect(isImageName(name)).toBe(false);
});

// A pattern would try names that consist of separators again at each of them.
it('looks at a long name once', () => {
  expect(isImageName(`${'a-'.repeat(127)}!`)).toBe(false);
});

it.each([
  ['group/app', ['group/app']],
  ['group/app/server', ['group/app/server', 'group/app']],
  ['group/app/server/debug', ['group/app/server/debug', 'group/app/server', 'group/app']],
  ['a/b/c/d/e', ['a/b/c/d/e', 'a/b/c/d', 'a/b/c']],
  ['app', []],
])('finds the projects that %s may be of', (name, paths) => {
  expect(projectPathsOf(name)).toEqual(paths);
});
