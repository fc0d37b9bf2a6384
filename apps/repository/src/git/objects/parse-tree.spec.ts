import { parseTree, readEntries } from './parse-tree';

const id = (digit: string) => digit.repeat(40);
const entry = (mode: string, name: string | Buffer, digit: string) =>
  Buffer.concat([Buffer.from(`${mode} `), Buffer.from(name), Buffer.from([0]), Buffer.from(id(digit), 'hex')]);

const raw = Buffer.concat([
  entry('100644', 'b.txt', '1'),
  entry('160000', 'lib', '2'),
  entry('120000', 'link', '3'),
  entry('40000', 'src', '4'),
  entry('100755', 'a.sh', '5'),
]);

it('lists folders, files and submodules, each by name', () => {
  expect(parseTree(raw).map(({ name, type, mode }) => [name, type, mode])).toEqual([
    ['src', 'tree', '040000'],
    ['a.sh', 'blob', '100755'],
    ['b.txt', 'blob', '100644'],
    ['link', 'blob', '120000'],
    ['lib', 'commit', '160000'],
  ]);
});

it('reads ids with any bytes, also zero and space', () => {
  const odd = Buffer.concat([
    Buffer.from('100644 x\0'),
    Buffer.alloc(10, 0),
    Buffer.alloc(10, 0x20),
    entry('40000', 'y', 'a'),
  ]);
  expect([...readEntries(odd)].map((one) => one.id)).toEqual([`${'00'.repeat(10)}${'20'.repeat(10)}`, id('a')]);
});

it('keeps the bytes of a name that is not UTF-8', () => {
  const name = Buffer.from('na\xefve', 'latin1');
  const [found] = parseTree(entry('100644', name, '1'));
  expect(found!.rawName).toEqual(name);
  expect(parseTree(entry('100644', 'größe', '1'))[0]).toMatchObject({ name: 'größe', rawName: null });
});

it('has nothing to list of an empty tree', () => expect(parseTree(Buffer.alloc(0))).toEqual([]));
