import { commonErrors, isError } from '@moothall/contracts';
import { parseColor, textColorOn } from './label-color';

const refusal = (color: string): unknown => {
  try {
    return parseColor(color);
  } catch (error) {
    return error;
  }
};

describe('colours of labels', () => {
  it.each([
    ['#ff0000', '#ff0000'],
    ['#F00', '#F00'],
    ['red', '#ff0000'],
    ['RebeccaPurple', '#663399'],
  ])('accepts %s', (given, stored) => expect(parseColor(given)).toBe(stored));

  it.each(['', 'ff0000', '#ff00', '#ggg', 'nocolor', 'constructor'])('refuses %p', (color) =>
    expect(isError(refusal(color), commonErrors.invalidRecord)).toBe(true),
  );

  it.each([
    ['#FFFFFF', '#333333'],
    ['#000', '#FFFFFF'],
    ['#fff', '#333333'],
    ['#428bca', '#FFFFFF'],
  ])('writes on %s in %s', (color, text) => expect(textColorOn(color)).toBe(text));
});
