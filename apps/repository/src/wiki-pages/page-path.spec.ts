import { placeAttachment } from './attachment';
import { fileOf, pageOf, renamedSlug, slugOf, titleOf } from './page-path';

it.each([
  ['Home', 'Home', 'Home'],
  ['dir/My page', 'dir/My-page', 'My page'],
  [' /a//b c/ ', 'a/b-c', 'b c'],
  ['Größe 漢字', 'Größe-漢字', 'Größe 漢字'],
  ['v1.0 notes', 'v1.0-notes', 'v1.0 notes'],
])('%j is stored at %j and reads %j', (title, slug, shown) => {
  expect(slugOf(title)).toBe(slug);
  expect(titleOf(slug)).toBe(shown);
  expect(pageOf(fileOf(slug, 'org'))).toEqual({ slug, format: 'org' });
});

it.each([
  ['', 'title_blank'],
  ['///', 'title_blank'],
  ['..', 'title_blank'],
  ['../..', 'title_blank'],
  ['a/../b', 'title_invalid'],
  ['.git/config', 'title_invalid'],
  ['a\0b', 'title_invalid'],
  ['x'.repeat(246), 'title_too_long'],
])('refuses the title %j', (title, code) => {
  expect(() => slugOf(title)).toThrow(code);
});

it('does not treat other files and uploads as pages', () => {
  expect([
    pageOf('a.txt'),
    pageOf('a'),
    pageOf(`uploads/${'0'.repeat(32)}/x.md`),
    pageOf('.md'),
    pageOf('a.constructor'),
  ]).toEqual([null, null, null, null, null]);
  expect(pageOf('x/a.ADOC')).toEqual({ slug: 'x/a', format: 'asciidoc' });
});

it('keeps a renamed page in its folder unless the title contains a folder', () => {
  expect(renamedSlug('dir/Old', 'New page')).toBe('dir/New-page');
  expect(renamedSlug('dir/Old', '/New')).toBe('New');
  expect(renamedSlug('dir/Old', 'other/New')).toBe('other/New');
});

it.each([
  ['../../x', 'x'],
  ['C:\\docs\\my file.png', 'my_file.png'],
  ['..', 'file'],
  ['', 'file'],
  ['.git', '_.git'],
  [`${'a'.repeat(300)}.png`, `${'a'.repeat(196)}.png`],
])('stores an attachment named %j as %s', (name, stored) => {
  const attachment = placeAttachment(name);
  expect(attachment.fileName).toBe(stored);
  expect(attachment.filePath).toMatch(/^uploads\/[0-9a-f]{32}\/[\w.-]+$/);
});

it('links pictures in place and other files by name', () => {
  expect(placeAttachment('dk.png').markdown).toMatch(/^!\[dk\]\(uploads\/\w{32}\/dk\.png\)$/);
  expect(placeAttachment('dk.txt').markdown).toMatch(/^\[dk\.txt\]\(uploads\/\w{32}\/dk\.txt\)$/);
});
