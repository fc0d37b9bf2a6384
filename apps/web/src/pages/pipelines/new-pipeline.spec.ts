import { variablesIn } from './new-pipeline';

it('reads variables from lines', () => {
  expect(variablesIn('')).toEqual([]);
  expect(variablesIn('A=1\n\n  B_2=x = y \nEMPTY=\n')).toEqual([
    { key: 'A', value: '1' },
    { key: 'B_2', value: 'x = y ' },
    { key: 'EMPTY', value: '' },
  ]);
});

it.each(['A', '=1', 'A B=1', 'A=1\nB'])('refuses %j', (text) => {
  const message = { variables: ['must be lines such as KEY=value'] };
  expect(() => variablesIn(text)).toThrow(expect.objectContaining({ value: expect.objectContaining({ message }) }));
});
