import { commonErrors } from '@moothall/contracts';
import { FailedTurns } from './failed-turns';

const levelsOf = (...turns: (unknown | 'done')[]): string[] => {
  const levels: string[] = [];
  const turnsOf = new FailedTurns('ci', { log: () => levels.push('log'), warn: () => levels.push('warn') });
  for (const turn of turns) turn === 'done' ? turnsOf.done('mirrors') : turnsOf.failed('mirrors', turn);
  return levels;
};

it('warns of a service that is away from the second turn in a row on, and of all else at once', () => {
  const isAway = commonErrors.unavailable();
  expect(levelsOf(isAway, isAway, isAway)).toEqual(['log', 'warn', 'warn']);
  expect(levelsOf(isAway, 'done', isAway)).toEqual(['log', 'log']);
  expect(levelsOf(new Error('broken'))).toEqual(['warn']);
  expect(levelsOf(new Error('broken'), isAway)).toEqual(['warn', 'warn']);
});
