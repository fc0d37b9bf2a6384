import {
  commonErrors,
  forbidden,
  invalidParameters,
  invalidRecord,
  mergeRequestErrors,
  noteErrors,
  type OperationError,
  snippetErrors,
} from '@moothall/contracts';
import { RefusedForm } from './refused-form';
import { SentForm } from './sent-form';

const refusedWith = (error: OperationError) => new RefusedForm(new SentForm({}), error);

describe('a refused form', () => {
  it('says at a field what is wrong with it, and everything in sentences', () => {
    const refused = refusedWith(
      invalidRecord({ title: ["can't be blank", 'is too short'], base: ['Another one is open'] }),
    );
    expect(refused.of('title')).toEqual(["can't be blank", 'is too short']);
    expect(refused.of('body')).toEqual([]);
    expect(refused.summary).toBe("Title can't be blank. Title is too short. Another one is open.");
    expect(refusedWith(snippetErrors.filesRefused({ error: 'A snippet needs a file' })).summary).toBe(
      'A snippet needs a file.',
    );
  });

  it('reads the names of refused parameters', () => {
    const refused = refusedWith(invalidParameters('title is empty', 'due_date is invalid'));
    expect([refused.of('title'), refused.of('due_date')]).toEqual([['is empty'], ['is invalid']]);
    expect(refused.summary).toBe('Title is empty. Due date is invalid.');
  });

  it('reads a list in the words of a parameter', () => {
    const words = 'is blocked: Only allowed schemes are http, https, ftp';
    const refused = refusedWith(invalidParameters(`url ${words}`, 'name is empty'));
    expect([refused.of('url'), refused.of('name')]).toEqual([[words], ['is empty']]);
  });

  // The texts of the API have a status, and are written for programs.
  it.each([
    [noteErrors.blank(), 'A note needs more than white space.'],
    [commonErrors.forbidden(), 'Signed in, but without the right.'],
    [forbidden('The discussion is locked'), 'The discussion is locked.'],
    [commonErrors.notFound('404 Project Not Found'), 'Project Not Found.'],
    [mergeRequestErrors.exists(['Another one is open']), 'Another one is open.'],
  ])('has words for %s', (error, words) => {
    expect(refusedWith(error).summary).toBe(words);
  });

  it.each([
    [commonErrors.forbidden(), 422],
    [commonErrors.unauthorized(), 422],
    [commonErrors.tooManyRequests(), 429],
    [commonErrors.unavailable(), 503],
    [commonErrors.timeout(), 504],
  ])('has the status of its page: %s', (error, status) => {
    expect(refusedWith(error).status).toBe(status);
  });
});
