import { parseScopes } from './parse-scopes';

it.each([
  ['repository:samalba/my-app:pull,push', 'repository', 'samalba/my-app', ['pull', 'push']],
  ['repository(plugin):samalba/my-app:pull', 'repository', 'samalba/my-app', ['pull']],
  ['registry:catalog:*', 'registry', 'catalog', ['*']],
  ['repository:host:5000/group/app:pull', 'repository', 'host:5000/group/app', ['pull']],
  ['repository:group/app:', 'repository', 'group/app', []],
  ['repository:group/app:pull,pull,,push', 'repository', 'group/app', ['pull', 'push']],
])('reads %s', (text, type, name, actions) => {
  expect(parseScopes(text)).toEqual([{ type, name, actions }]);
});

it('reads several, in one parameter or repeated', () => {
  const names = ['a/b', 'c/d', 'e/f'];
  const [first, second, third] = names.map((name) => `repository:${name}:pull`);
  expect(parseScopes([`${first} ${second}`, third!]).map(({ name }) => name)).toEqual(names);
});

it.each([
  undefined,
  '',
  ' ',
  'repository',
  'repository:group/app',
  ':group/app:pull',
  'repository::pull',
  'REPO:a/b:pull',
])('has none in %j', (text) => {
  expect(parseScopes(text)).toEqual([]);
});

it('reads up to a limit', () => {
  expect(parseScopes(Array.from({ length: 1000 }, (_, index) => `repository:a/b${index}:pull`))).toHaveLength(50);
});
