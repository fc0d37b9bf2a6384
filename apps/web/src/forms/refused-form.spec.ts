import {
  commonErrors,
  forbidden,
  groupErrors,
  invalidParameters,
  invalidRecord,
  mergeRequestErrors,
  noteErrors,
  type OperationError,
  snippetErrors,
  topicErrors,
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

  it('reads fields of an error that always has the same ones', () => {
    const refused = refusedWith(topicErrors.taken());
    expect(refused.of('name')).toEqual(['has already been taken']);
    expect(refused.summary).toBe('Another topic has that name, in whatever case.');
  });

  it('reads fields in a text', () => {
    const text = `Failed to save group {:path=>["\\"a\\" is reserved", "is too long"], :name=>["can't be blank"]}`;
    const refused = refusedWith(groupErrors.notSaved(text));
    expect(refused.of('path')).toEqual(['"a" is reserved', 'is too long']);
    expect(refused.summary).toBe(`Path "a" is reserved. Path is too long. Name can't be blank.`);
    for (const broken of ['{:path=>["}', '{:path=>["\\q"]}', '{:path=>["a", ]}', '{:path=>["\n"]}'])
      expect(refusedWith(groupErrors.notSaved(broken)).summary).toBe(`${broken}.`);
  });

  it('reads a list in the words of a parameter', () => {
    const words = 'is blocked: Only allowed schemes are http, https, ftp';
    const refused = refusedWith(invalidParameters(`url ${words}`, 'name is empty'));
    expect([refused.of('url'), refused.of('name')]).toEqual([[words], ['is empty']]);
  });

  // The texts of the API have a status, and are written for programs.
  it.each([
    [noteErrors.blank(), 'A note needs more than white space.'],
    [commonErrors.forbidden(), 'The user may not do this.'],
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
