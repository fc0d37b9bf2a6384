import { headingsBelow } from './headings-below';

it.each([
  [1, '<h1>a</h1>\n<h2><a name="b" href="#b">b</a></h2>', '<h2>a</h2>\n<h3><a name="b" href="#b">b</a></h3>'],
  [2, '<h1>a</h1><h4>b</h4><h5>c</h5><h6>d</h6>', '<h3>a</h3><h6>b</h6><h6>c</h6><h6>d</h6>'],
  [1, '<p>&lt;h1&gt; <code>&lt;h1&gt;</code></p><hr>', '<p>&lt;h1&gt; <code>&lt;h1&gt;</code></p><hr>'],
  [1, '</h1><h1>', '</h2><h2>'],
])('below level %i, %j is %j', (level, html, shifted) => {
  expect(headingsBelow(level, html)).toBe(shifted);
});
