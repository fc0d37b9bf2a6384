import { commonErrors } from '@moothall/contracts';
import { FailedTurns } from './failed-turns';

const levelsOf = (...turns: (unknown | 'done')[]): string[] => {
  const levels: string[] = [];
  const turnsOf = new FailedTurns('ci', { log: () => levels.push('log'), warn: () => levels.push('warn') });
  for (const turn of turns) turn === 'done' ? turnsOf.done('mirrors') : turnsOf.failed('mirrors', turn);
  return levels;
};

it('logs an unavailable service from the second run in a row on, and other failures immediately', () => {
  const isAway = commonErrors.unavailable();
  expect(levelsOf(isAway, isAway, isAway)).toEqual(['log', 'warn', 'warn']);
  expect(levelsOf(isAway, 'done', isAway)).toEqual(['log', 'log']);
  expect(levelsOf(new Error('broken'))).toEqual(['warn']);
  expect(levelsOf(new Error('broken'), isAway)).toEqual(['warn', 'warn']);
});
