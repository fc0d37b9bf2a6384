import { commonErrors, geoErrors } from '@moothall/contracts';
import { wordsOf } from './words-of';

it('returns the message of a refusal, or that of its table', () => {
  expect(wordsOf(commonErrors.unavailable('nobody is there'), 'x')).toBe('nobody is there');
  expect(wordsOf(geoErrors.fileMissing(), 'x')).toBe('404 File Not Found');
  expect(wordsOf(commonErrors.invalidRecord({ name: ['is taken'] }), 'x')).toBe('name is taken');
});

it('returns the default for any other error', () => {
  expect(wordsOf(new Error('stack and all'), 'It could not be asked')).toBe('It could not be asked');
});
