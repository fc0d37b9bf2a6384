import { nameProblems, namespacePathProblems, pathFromName, projectPathProblems } from './path-rules';

describe('paths', () => {
  it.each(['a', 'A.b', 'under_score', 'my.group', '1', '_x', 'a--b', 'x'.repeat(255)])('may be %s', (path) => {
    expect(projectPathProblems(path)).toEqual([]);
    expect(namespacePathProblems(path, true)).toEqual([]);
  });

  it.each(['', '-a', 'a.git', 'a.GIT', 'a.atom', 'a b', 'ä', 'a/b', '.', '..', 'a\0', 'x'.repeat(256)])(
    'may not be %j',
    (path) => {
      expect(projectPathProblems(path)).toHaveLength(1);
      expect(namespacePathProblems(path, false)).toHaveLength(1);
    },
  );

  it('are no reserved words of the routes', () => {
    expect(namespacePathProblems('API', true)).toEqual(['API is a reserved name']);
    expect(namespacePathProblems('api', false)).toEqual([]);
    expect(namespacePathProblems('tree', false)).toEqual(['tree is a reserved name']);
    expect(projectPathProblems('Wikis')).toEqual(['Wikis is a reserved name']);
    expect(namespacePathProblems('TREE', false)).toEqual(['TREE is a reserved name']);
    expect(namespacePathProblems('tree', true)).toEqual([]);
    expect(namespacePathProblems('dashboard', true)).toEqual(['dashboard is a reserved name']);
    expect(projectPathProblems('api')).toEqual([]);
    expect(namespacePathProblems('a.', true)).toEqual([expect.stringContaining('end in')]);
    expect(projectPathProblems('a.')).toEqual([]);
  });

  it('return the reason if they are invalid', () => {
    const [blank, long, form] = [
      "can't be blank",
      'is too long (maximum is 255 characters)',
      /^can contain only letters/,
    ];
    for (const problems of [projectPathProblems, (path: string) => namespacePathProblems(path, true)]) {
      expect(problems('')).toEqual([blank]);
      expect(problems('x'.repeat(256))).toEqual([long]);
      expect(problems('a b')).toEqual([expect.stringMatching(form)]);
    }
    expect([nameProblems(' '), nameProblems('x'.repeat(256))]).toEqual([[blank], [long]]);
    expect(nameProblems('-x')).toEqual([expect.stringMatching(/^can contain only letters, digits, emojis/)]);
    expect(nameProblems(` ${'x'.repeat(255)} `)).toEqual([expect.stringMatching(/must start with/)]);
  });

  it.each([
    ['My Tool', 'my-tool'],
    ['  C++ (fast) ', 'c-fast'],
    ['x_y.z', 'x_y.z'],
    ['日本', ''],
    ['--x--', 'x'],
    ['UPPER', 'upper'],
  ])('follow from the name %j', (name, path) => {
    expect(pathFromName(name)).toBe(path);
  });
});

describe('names', () => {
  it.each(['My Tool', 'C++', 'Größe', '🚀 rocket', 'a.b_c-d (e)', '1'])('may be %s', (name) => {
    expect(nameProblems(name)).toEqual([]);
  });

  it.each(['', '   ', '<script>', '-x', 'a/b', 'x'.repeat(256)])('may not be %j', (name) => {
    expect(nameProblems(name)).toHaveLength(1);
  });
});
