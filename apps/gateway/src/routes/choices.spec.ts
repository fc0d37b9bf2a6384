import { choiceIn } from './choices';

it.each([
  ['/api/v4/search?scope=issues&search=a', 'issues'],
  ['/api/v4/search?search=a&scope=snippet%5Ftitles', 'snippet_titles'],
  ['/api/v4/search?scope=issues&scope=users', undefined],
  ['/api/v4/search?scope[]=issues', undefined],
  ['/api/v4/search?scope[a]=issues', undefined],
  ['/api/v4/search?xscope=issues', undefined],
  ['/api/v4/search?search=scope%3Dissues', undefined],
  ['/api/v4/search?scope=', ''],
  ['/api/v4/search?scope=%', undefined],
  ['/api/v4/scope=issues', undefined],
  ['/api/v4/search', undefined],
])('the scope that %s names is %s', (url, scope) => {
  expect(choiceIn('scope', url)).toBe(scope);
});
