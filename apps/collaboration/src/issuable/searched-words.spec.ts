import { searchedWords } from './searched-words';

it.each([
  ['#12', { iids: [12] }],
  [' #12 ', { iids: [12] }],
  ['12', { search: '12' }],
  ['!12', { search: '!12' }],
  ['#12 and more', { search: '#12 and more' }],
  ['#', { search: '#' }],
  [`#${'9'.repeat(20)}`, { search: `#${'9'.repeat(20)}` }],
])('%s is %j', (search, expected) => {
  expect(searchedWords(search, '#')).toEqual(expected);
});
