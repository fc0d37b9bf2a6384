import { escapeHtml } from './html';

it('escapes all special characters of HTML, and nothing else', () => {
  expect(escapeHtml(`<a href="x" title='&amp;'>ä 😀</a>`)).toBe(
    '&lt;a href=&quot;x&quot; title=&#39;&amp;amp;&#39;&gt;ä 😀&lt;/a&gt;',
  );
});
