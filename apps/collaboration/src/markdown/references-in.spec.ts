import { referencesIn } from './references-in';

const found = (text: string) =>
  referencesIn(text).flatMap(({ reference }) =>
    reference ? [`${reference.kind} ${reference.project ?? ''} ${reference.name}`] : [],
  );

it.each([
  ['see #12, !3.', ['issue  12', 'merge_request  3']],
  ['group/app#5 and app!6', ['issue group/app 5', 'merge_request app 6']],
  ['@ada, @bob.c and a@b.example', ['user  ada', 'user  bob.c']],
  ['~bug ~"needs work" ~~gone~~', ['label  bug', 'label  needs work']],
  ['at 1c2d3e4 and deadbeef and 1234567', ['commit  1c2d3e4']],
  ['a#1x http://x.example/#2 &#123; #0 a/../b#3', []],
])('are found in %s', (text, references) => {
  expect(found(text)).toEqual(references);
  expect(
    referencesIn(text)
      .map((piece) => piece.text)
      .join(''),
  ).toBe(text);
});
