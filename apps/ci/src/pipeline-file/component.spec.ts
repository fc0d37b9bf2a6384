import { componentAt, highestOf, pathsOf, prefixOf } from './component';

const known = { CI_SERVER_FQDN: 'moothall.test:8080' };

it('the address of a component is its project, name and version', () => {
  const component = componentAt('moothall.test:8080/group/sub/project/lint@1.2', known);
  expect(component).toMatchObject({ project: 'group/sub/project', name: 'lint', version: '1.2' });
  expect(pathsOf(component)).toEqual(['templates/lint.yml', 'templates/lint/template.yml']);
  expect(pathsOf({ ...component, path: 'templates/part.yml' })).toEqual(['templates/part.yml']);
});

it.each([
  ['example.com/group/project/lint@1', 'is of another server, which is not supported'],
  ['moothall.test:8080/group/project/lint', 'needs an address as'],
  ['moothall.test:8080/lint@1', 'needs an address as'],
  ['moothall.test:8080/group/project/@1', 'needs an address as'],
  ['', 'needs an address as'],
])('%s is refused', (text, problem) => expect(() => componentAt(text, known)).toThrow(problem));

it.each([
  ['~latest', ''],
  ['1', '1.'],
  ['1.20', '1.20.'],
  ['1.2.3', undefined],
  ['main', undefined],
  ['1.x', undefined],
])('version %s selects among tags that begin with %p', (version, prefix) => expect(prefixOf(version)).toBe(prefix));

it('the highest version is that with the greatest numbers', () => {
  expect(highestOf(['1.9.0', '1.10.0', '1.10.0-rc1', 'v2.0.0', '0.11.12', 'main'])).toBe('1.10.0');
  expect(highestOf(['1.0.9', '1.0.10', '1.0.10'])).toBe('1.0.10');
  expect(highestOf(['v1.0.0'])).toBeUndefined();
});
