import { withoutPassword } from './without-password';

it.each([
  ['https://ada:hidden@example.com/a.git', 'https://ada@example.com/a.git'],
  ['https://:hidden@example.com/a@b', 'https://example.com/a@b'],
  ['ssh://git:hidden@example.com:22/a.git', 'ssh://git@example.com:22/a.git'],
  ['https:ada:hidden@example.com', 'https://ada@example.com/'],
  ['ada:hidden@example.com/a.git', 'ada@example.com/a.git'],
  ['https://ada:hid#den@example.com/a.git', 'https://ada@example.com/a.git'],
  ['https://ada:hid/den@exa mple.com/a.git', 'https://ada@exa mple.com/a.git'],
  ['file://ada:hidden@/a.git', 'file://ada@/a.git'],
])('%j is shown as %j', (url, shown) => {
  expect(withoutPassword(url)).toBe(shown);
});

it.each([
  '',
  'none',
  'https://example.com:8080/a@b',
  'git@example.com:a/b.git',
  'https://ada@exa mple.com:1/a',
  'file:///a b',
  'https://*****:*****@example.com/a',
])('%j is shown as it is', (url) => {
  expect(withoutPassword(url)).toBe(url);
});
