import { escapeHtml } from './html';

it('leaves nothing that means something in HTML, and the rest as it is', () => {
  expect(escapeHtml(`<a href="x" title='&amp;'>ä 😀</a>`)).toBe(
    '&lt;a href=&quot;x&quot; title=&#39;&amp;amp;&#39;&gt;ä 😀&lt;/a&gt;',
  );
});
