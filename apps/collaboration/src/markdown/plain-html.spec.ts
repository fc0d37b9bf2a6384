import { plainHtml } from './plain-html';

it.each([
  ['<b>x</b>', '<b>x</b>'],
  ['<DETAILS open onclick="x"><summary>s</summary></DETAILS>', '<details><summary>s</summary></details>'],
  ['<br/><hr />', '<br><hr>'],
  ['a<!-- gone -->b<!-- and this', 'ab'],
  ['<script>alert(1)</script>', '&lt;script&gt;alert(1)&lt;/script&gt;'],
  ['<img src=x onerror=alert(1)>', '&lt;img src=x onerror=alert(1)&gt;'],
  ['<b title="a>b" onclick=x>', '<b>b&quot; onclick=x&gt;'],
  ['<b<script>', '&lt;b&lt;script&gt;'],
  ['<b\n<img src=x>', '&lt;b\n&lt;img src=x&gt;'],
  ['<svg/onload=alert(1)>', '&lt;svg/onload=alert(1)&gt;'],
  ['a & b &amp; &lt; &#60; &x', 'a &amp; b &amp; &lt; &#60; &amp;x'],
  ['<?php x ?><![CDATA[x]]><!DOCTYPE x>', '&lt;?php x ?&gt;&lt;![CDATA[x]]&gt;&lt;!DOCTYPE x&gt;'],
])('of %p is %p', (html, answer) => {
  expect(plainHtml(html)).toBe(answer);
});
