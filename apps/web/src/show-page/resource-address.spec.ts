import { requestAddressOf, resourceAddressOf } from './resource-address';

const parse = (path: string) => resourceAddressOf(requestAddressOf(path));

it.each([
  ['/group/tool', 'group/tool', '', ''],
  ['/group/sub/tool/', 'group/sub/tool', '', ''],
  ['/group/tool/-/issues/1?page=2', 'group/tool', '/issues/1', '/-/issues/1?page=2'],
  ['/groups/group/-/milestones', 'groups/group', '/milestones', '/-/milestones'],
  ['/group/tool/-/blob/main/-/a', 'group/tool', '/blob/main/-/a', '/-/blob/main/-/a'],
  ['/group/tool/edit', 'group/tool', '/edit', '/edit'],
  ['/group/sub/tool/edit?saved=1', 'group/sub/tool', '/edit', '/edit?saved=1'],
  ['/group/tool/-/issues/1/edit', 'group/tool', '/issues/1/edit', '/-/issues/1/edit'],
  ['/group/tool/-/edit', 'group/tool', '/edit', '/-/edit'],
  ['/group/edit', 'group/edit', '', ''],
  ['/groups/group/edit', 'groups/group/edit', '', ''],
])('%j is the address of %j, below it %j, with the rest %j', (path, fullPath, below, rest) => {
  expect(parse(path)).toEqual({ fullPath, below, rest });
});

it.each(['/', '/5', '/groups/5', '/a%00b', '/%E0%A4%A', '//'])('%j is the address of no record', (path) => {
  expect(parse(path)).toBeUndefined();
});
